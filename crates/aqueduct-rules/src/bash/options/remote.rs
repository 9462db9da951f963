//! Programs that talk to other machines.

use super::OperandKind::{Addresses, Files, Names};
use super::Style::Clusters;
use super::{KnownProgram, command, program};

const CURL: &str = "-s -S -f -i -I -v -k -L -G -g -N -q -4 -6 -0 -# -X= -H= -d= -u= -A= -e= -m= -r= -w= -F= --silent --show-error \
    --fail --fail-with-body --include --head --verbose --insecure --location --get --globoff --no-buffer --compressed \
    --request= --header= --data= --data-raw= --data-urlencode= --data-binary= --json= --user= --user-agent= --referer= --max-time= \
    --connect-timeout= --retry= --retry-delay= --retry-all-errors --retry-connrefused --range= --write-out= --form= \
    --form-string= --url-query= --http1.1 --http2 --http3 --ipv4 --ipv6 --max-redirs= --no-progress-meter --progress-bar --basic \
    --bearer= --oauth2-bearer= --tlsv1.2 --tlsv1.3 --path-as-is --limit-rate= --max-filesize=";

const RSYNC: &str = "-a -v -z -r -n -P -h -i -u -c -l -p -t -g -o -D -H -x -W -q -O -S -A -X -E -C -d -m -y -8 -0 --archive --verbose --compress \
    --recursive --dry-run --progress --partial --human-readable --itemize-changes --update --checksum --links --perms --times \
    --group --owner --devices --specials --hard-links --one-file-system --whole-file --quiet --delete --delete-after --delete-before \
    --delete-during --delete-excluded --exclude= --include= --stats --existing --ignore-existing --size-only --info= --bwlimit= \
    --timeout= --max-size= --min-size= --prune-empty-dirs --numeric-ids --no-perms --no-owner --no-group --no-times --safe-links \
    --inplace --append --cvs-exclude --list-only --ignore-errors --force --chmod=";

pub(super) const PROGRAMS: &[KnownProgram] = &[
    program("curl", Clusters, "", &[command("", &[CURL], Addresses)]),
    program(
        "wget",
        Clusters,
        "",
        &[command(
            "",
            &[
                "-q -v -nv -c -N -S -4 -6 -t= -T= -w= -U= --quiet --verbose --no-verbose --spider --server-response --timeout= --tries= --wait= --user-agent= --header= --no-check-certificate --max-redirect= --limit-rate= --show-progress --method= --timestamping --continue",
            ],
            Addresses,
        )],
    ),
    // Options may also follow the host; the second operand begins the command for the other machine.
    program(
        "ssh",
        Clusters,
        "",
        &[command("", &["-p= -l= -i= -v -q -t -T -n -N -4 -6 -C -a -x -k -o="], Names).until_operand(2)],
    ),
    program("scp sftp", Clusters, "", &[command("", &["-P= -i= -r -p -q -v -C -4 -6 -l= -B -a -o="], Files)]),
    program("rsync", Clusters, "", &[command("", &[RSYNC], Files)]),
];

/// Whether a setting of ssh is one that runs nothing and trusts no new host.
pub(super) fn is_plain_setting(setting: &str) -> bool {
    const PLAIN: &str = "batchmode connecttimeout connectionattempts serveraliveinterval serveralivecountmax loglevel \
        compression tcpkeepalive passwordauthentication preferredauthentications identitiesonly requesttty addressfamily";
    let key = setting.split(['=', ' ']).next().unwrap_or_default().to_ascii_lowercase();
    PLAIN.split_ascii_whitespace().any(|plain| plain == key)
}

/// Whether an operand is an address on the web: anything else may be a file, or a protocol that reads or runs one.
pub(super) fn is_address(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return true;
    }
    let host = lower.split(['/', '?']).next().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let (name, port) = host.split_once(':').unwrap_or((host, "0"));
    !name.is_empty()
        && name.chars().all(plain)
        && !port.is_empty()
        && port.bytes().all(|byte| byte.is_ascii_digit())
}
