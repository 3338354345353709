// The check for commands that open connections to other machines, by their first words; for rsync
// by all words.

const clients = new RegExp(
  [
    '^(?:curl|wget|wget2|aria2c|axel|http|https|xh|ssh|scp|sftp|ftp|lftp|telnet|nc|ncat|netcat|socat',
    'dig|host|nslookup|ping|traceroute|whois|rclone|yt-dlp)(?: |$)',
  ].join('|'),
)

const packageManagers = new RegExp(
  [
    '^(?:(?:npm|pnpm|yarn|bun) (?:i|ci|install|add|update|upgrade|audit|outdated|view|info|login)',
    '(?:pip|pip3|pipx|uv|poetry|pdm|conda|mamba) (?:pip )?(?:install|add|sync|download|update|lock)',
    'cargo (?:add|fetch|install|update|search)|go (?:get|install)|go mod (?:download|tidy)',
    '(?:gem|bundle|composer) (?:install|update|require)',
    '(?:apt|apt-get|dnf|yum|apk|brew|pacman) (?:-S\\w*|install|add|update|upgrade)',
    '(?:docker|podman) (?:pull|login|search)|(?:aws|gcloud|az|kubectl|gh|glab|terraform))(?: |$)',
  ].join('|'),
)

/**
 * Returns true if the command begins like a listed one that connects to a server, or is an rsync with
 * a remote path.
 */
export function isConnecting([first = '', ...rest]: readonly string[]): boolean {
  const program = first.slice(first.lastIndexOf('/') + 1)
  const text = [program, ...rest].join(' ')
  if (program === 'rsync')
    return rest.some((word) => /^(?!-)[^/]*::?/.test(word) || word.startsWith('rsync:'))
  return clients.test(text) || packageManagers.test(text)
}
