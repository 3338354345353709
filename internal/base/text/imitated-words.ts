// Names that attackers imitate with similar letters of other scripts: programs, companies, and names of
// branches, files and settings.

const list = `
  ansible apex apk apt ar awk bash bat bc bin brew bun bundle bzip2 cabal cargo cat cc cd chmod chown
  clang cmake code composer conda config copy cp cpio cron csh curl cut dart dd deno deploy df diff dig
  docker dpkg du echo elixir emacs env exec expect find fish flatpak gcc gem gh ghc git github gitlab go
  gpg gradle grep gunzip gzip head helm history host hosts http https id ifconfig index info init install
  ip iptables java javac javascript jq julia kill kotlin kubectl less link lint linux ln local login
  logout ls lua main make man master maven mix mkdir mongo mount mv mvn mysql nano nc net nginx nix node
  nohup npm npx null nvim open openssl opt origin pacman pass passwd paste patch paypal perl php ping pip
  pip3 pipenv pipx pnpm podman poetry port postgres printf private profile proxy ps psql public push
  puppet pwd py pypi pytest python python3 rake rails read readme release reset rm rmdir root rpm rsync
  ruby run rust rustc sbt scala scp script scope secret sed seq server service session setup sftp sh shell
  shutdown sleep snap socat sort source space spec split sqlite ssh start static stop strace su sudo svn
  swift sync system systemctl tail tar task tasks tee telnet terraform test tests time timeout tmp tmux
  token tools top touch type ubuntu ulimit umount unzip update upload user users usr util utils uv vagrant
  var version vi vim watch web wget which who whoami wipe xargs xcode xz yarn yes yq zip zsh access
  account admin api apache app apple apply apps archive assets auth backup bitcoin build cache client
  cloud commit core cpp css data database debug default dev dist docs example export facebook file files
  google home html icecap image images import input instagram invoice item json key keys lib library
  license list log logs mail microsoft model module name netflix network notes office package packages
  page password paths peace pipeline pop postinstall preinstall project query queue react remote report
  response security settings sms src stack state status storage store stripe style table template text
  tokens trash twitter ui undo union url view views wallet whatsapp window windows word work yahoo youtube
`

let names: ReadonlySet<string> | undefined

/**
 * Returns true if a word, in any letter case, is a name that attackers imitate with similar letters
 * of other scripts.
 */
export function isImitated(word: string): boolean {
  names ??= new Set(list.trim().split(/\s+/))
  return names.has(word.toLowerCase())
}
