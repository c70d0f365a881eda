//! The programs that take a password on their command line, as data.

/// A program that takes a password.
pub(super) struct Program {
    /// What it is called by.
    pub(super) name: &'static str,
    /// After what.
    pub(super) flags: &'static [&'static str],
    /// How it takes it.
    pub(super) takes: Takes,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// The password is the next word, or what stands directly after the flag.
    Password,
    /// The password stands directly after the flag.
    Attached,
    /// The next word is `name:password`.
    Pair,
    /// The next word is `name%password`.
    Percent,
    /// The words after the flag are a file, a name and the password.
    Third,
    /// Of the words that are no flags this one is the password, counted from 0.
    Word(usize),
    /// Words of the form `NAME=value` are secrets.
    Settings,
}

const fn program(name: &'static str, flags: &'static [&'static str], takes: Takes) -> Program {
    Program { name, flags, takes }
}

/// Programs and their flags, as their manuals have them.
pub(super) const PROGRAMS: &[Program] = &[
    program(
        "curl ",
        &["-u", "--user", "-U", "--proxy-user"],
        Takes::Pair,
    ),
    program("http ", &["-a", "--auth"], Takes::Pair),
    program("wget ", &["--password", "--http-password"], Takes::Password),
    program("mysql ", &["-p"], Takes::Attached),
    program("mysqldump ", &["-p"], Takes::Attached),
    program("mysqladmin ", &["-p"], Takes::Attached),
    program("mysqlimport ", &["-p"], Takes::Attached),
    program("mariadb ", &["-p"], Takes::Attached),
    program("mariadb-dump ", &["-p"], Takes::Attached),
    program("sshpass ", &["-p"], Takes::Password),
    program("redis-cli ", &["-a", "--pass"], Takes::Password),
    program("mongo ", &["-p"], Takes::Password),
    program("mongosh ", &["-p"], Takes::Password),
    program("mongodump ", &["-p"], Takes::Password),
    program("mongorestore ", &["-p"], Takes::Password),
    program("docker login", &["-p"], Takes::Password),
    program("podman login", &["-p"], Takes::Password),
    program("helm registry login", &["-p"], Takes::Password),
    program("nerdctl login", &["-p"], Takes::Password),
    program("oc login", &["-p"], Takes::Password),
    program("az login", &["-p"], Takes::Password),
    program("cf login", &["-p"], Takes::Password),
    program("vault login", &[], Takes::Word(0)),
    program("wandb login", &[], Takes::Word(0)),
    program("cloudflared service install", &[], Takes::Word(0)),
    program("codecov ", &["-t", "--token"], Takes::Password),
    program("gh secret set", &["--body", "-b"], Takes::Password),
    program("aws ssm put-parameter", &["--value"], Takes::Password),
    program("ssh-keygen ", &["-N", "-P"], Takes::Password),
    program("requirepass ", &[], Takes::Word(0)),
    program("masterauth ", &[], Takes::Word(0)),
    program("bindpw ", &[], Takes::Word(0)),
    program("ldapsearch ", &["-w"], Takes::Password),
    program("ldapmodify ", &["-w"], Takes::Password),
    program("ldapadd ", &["-w"], Takes::Password),
    program("sqlcmd ", &["-P"], Takes::Password),
    program("bcp ", &["-P"], Takes::Password),
    program("tsql ", &["-P"], Takes::Password),
    program("zip ", &["-P"], Takes::Password),
    program("unzip ", &["-P"], Takes::Password),
    program("7z ", &["-p"], Takes::Attached),
    program("7za ", &["-p"], Takes::Attached),
    program("rar ", &["-p", "-hp"], Takes::Attached),
    program("unrar ", &["-p"], Takes::Attached),
    program("smbclient ", &["-U", "--user"], Takes::Percent),
    program("rpcclient ", &["-U"], Takes::Percent),
    program(
        "htpasswd ",
        &[
            "-b", "-bc", "-cb", "-nb", "-bn", "-Bb", "-bB", "-bnB", "-nbB",
        ],
        Takes::Third,
    ),
    program("snmpwalk ", &["-A", "-X"], Takes::Password),
    program("ipmitool ", &["-P"], Takes::Password),
    program(
        "openssl ",
        &["-passin", "-passout", "-pass", "-k"],
        Takes::Password,
    ),
    program("cqlsh ", &["-p"], Takes::Password),
    program("clickhouse-client ", &["--password"], Takes::Password),
    program("lftp ", &["-u"], Takes::Pair),
    program("xfreerdp ", &["/p:"], Takes::Attached),
    program("mosquitto_pub ", &["-P", "--pw"], Takes::Password),
    program("mosquitto_sub ", &["-P", "--pw"], Takes::Password),
    program("schtasks ", &["/rp", "/RP"], Takes::Password),
    program("az keyvault secret set", &["--value"], Takes::Password),
    program("aws secretsmanager", &["--secret-string"], Takes::Password),
    program(
        "openssl passwd",
        &["-6", "-5", "-1", "-apr1"],
        Takes::Password,
    ),
    program("net user ", &[], Takes::Word(1)),
    program("mc alias set ", &[], Takes::Word(3)),
    program("mc config host add ", &[], Takes::Word(3)),
    program("poetry config http-basic.", &[], Takes::Word(2)),
    program("nickserv identify ", &[], Takes::Word(0)),
    program("snmp-server community ", &[], Takes::Word(0)),
    program("enable secret ", &[], Takes::Word(0)),
    program("rootpw ", &[], Takes::Word(0)),
    program("kubectl create secret", &[], Takes::Settings),
    program("vault kv put ", &[], Takes::Settings),
    program("vault kv patch ", &[], Takes::Settings),
    program("vault write ", &[], Takes::Settings),
    program("heroku config:set ", &[], Takes::Settings),
    program("fly secrets set ", &[], Takes::Settings),
    program("flyctl secrets set ", &[], Takes::Settings),
    program("doppler secrets set ", &[], Takes::Settings),
    program("supabase secrets set ", &[], Takes::Settings),
];
