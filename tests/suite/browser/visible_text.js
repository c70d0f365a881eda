// The text that a reader can see: text nodes that are drawn, a line break between blocks.
(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const block = (node) => {
    let element = node.parentElement;
    while (getComputedStyle(element).display.startsWith('inline')) element = element.parentElement;
    return element;
  };
  let text = '';
  let last = null;
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.data.trim()) { text += ' '; continue; }
    if (!node.parentElement.checkVisibility({ visibilityProperty: true })) continue;
    const here = block(node);
    if (last && here !== last) text += '\n';
    last = here;
    text += node.data;
  }
  return text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean).join('\n');
})()
