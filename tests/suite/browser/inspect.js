// Looks over one page for the inertness check: `allowed` is { everywhere, elements }, see inert.rs.
// Answers { problems, ids, links }.
((allowed) => {
  const problems = new Set();
  const ids = [];
  const links = [];
  const XHTML = 'http://www.w3.org/1999/xhtml';
  const ADDRESSES = ['href', 'src', 'srcset', 'action', 'formaction', 'poster', 'background', 'ping', 'cite', 'data'];
  const RASTER = /^data:image\/(png|jpeg|gif|webp|avif);base64,/;

  const look_at_address = (element, name, value) => {
    const where = `<${element.localName} ${name}>`;
    if (value.startsWith('data:')) {
      if (!(element.localName === 'img' && RASTER.test(value)) && value !== 'data:,') {
        problems.add(`${where} holds data that is not a raster image: ${value.slice(0, 60)}`);
      }
      return;
    }
    let url;
    try { url = new URL(value, document.baseURI); } catch {
      problems.add(`${where} does not parse: ${value.slice(0, 60)}`);
      return;
    }
    if (url.protocol === 'file:' && !url.host) { links.push(url.href); return; }
    const is_link = element.localName === 'a' && name === 'href';
    const names_page = element.localName === 'link' && ['canonical', 'alternate'].includes(element.rel);
    if (!(is_link ? ['http:', 'https:', 'mailto:'] : names_page ? ['http:', 'https:'] : []).includes(url.protocol)) {
      problems.add(`${where} leads to ${url.href.slice(0, 80)}`);
    }
    if (is_link && url.protocol.startsWith('http') && !element.relList.contains('noreferrer')) {
      problems.add(`${where} to another site lacks rel=noreferrer: ${url.href.slice(0, 80)}`);
    }
  };

  for (const element of document.querySelectorAll('*')) {
    const tag = element.localName;
    const own = allowed.elements[tag];
    if (!own || element.namespaceURI !== XHTML) { problems.add(`<${tag}> is not allowed`); continue; }
    if (element.shadowRoot) problems.add(`<${tag}> has a shadow root`);
    for (const { name, value } of element.attributes) {
      const fine = own.includes(name) || allowed.everywhere.includes(name) || /^(aria|data)-[a-z-]+$/.test(name);
      if (!fine) problems.add(`<${tag} ${name}> is not allowed`);
      else if (ADDRESSES.includes(name)) look_at_address(element, name, value);
    }
    if (element.id) ids.push(element.id);
    if (tag === 'img' && !element.hasAttribute('alt')) problems.add('<img> lacks alt');
    if (tag === 'input' && element.type !== 'radio') problems.add(`<input type=${element.type}> is not allowed`);
    if (tag === 'details' && element.firstElementChild?.localName !== 'summary') problems.add('<details> does not begin with <summary>');
    if (tag === 'meta' && element.httpEquiv && element.httpEquiv !== 'Content-Security-Policy') problems.add(`<meta http-equiv=${element.httpEquiv}> is not allowed`);
  }

  const seen = new Set();
  for (const id of ids) {
    if (seen.has(id)) problems.add(`id ${id} stands twice`);
    seen.add(id);
  }
  for (const tag of ['h1', 'main']) {
    const count = document.querySelectorAll(tag).length;
    if (count !== 1) problems.add(`${count} <${tag}> instead of one`);
  }

  const [charset, policy] = document.querySelectorAll('head > *');
  if (!charset?.hasAttribute('charset')) problems.add('the head does not begin with the charset');
  if (policy?.httpEquiv !== 'Content-Security-Policy') problems.add('the policy does not follow the charset');
  else if (!policy.content.startsWith("default-src 'none';") || /unsafe-|\*|https?:/.test(policy.content)) problems.add(`weak policy: ${policy.content}`);
  if (document.querySelector('meta[name=referrer]')?.content !== 'no-referrer') problems.add('no meta referrer no-referrer');
  if (!document.title.trim()) problems.add('no title');
  if (!document.documentElement.lang) problems.add('<html> lacks lang');
  if (document.compatMode !== 'CSS1Compat') problems.add('quirks mode');

  const text = document.documentElement.textContent;
  const raw = (what, pattern) => { if (pattern.test(text)) problems.add(`raw ${what} in the text`); };
  raw('control characters', /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/);
  raw('bidi controls', /[\u202a-\u202e\u2066-\u2069]/);

  for (const fold of document.querySelectorAll('details')) fold.open = true;
  const width = document.documentElement.clientWidth;
  const page = document.scrollingElement.scrollWidth;
  if (page > width) {
    const scrolls = (element) => element && element !== document.body
      && (getComputedStyle(element).overflowX !== 'visible' || scrolls(element.parentElement));
    const wide = [...document.body.querySelectorAll('*')].find((element) =>
      element.getBoundingClientRect().right > width + 1 && !scrolls(element.parentElement));
    const name = wide ? `<${wide.localName}${wide.className && ` class="${wide.className}"`}>` : 'something';
    problems.add(`${page} px wide in a window of ${width}: ${name} sticks out`);
  }
  return { problems: [...problems], ids, links };
})
