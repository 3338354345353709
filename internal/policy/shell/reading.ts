// Programs that only read and print, with the options that are known to be harmless, as data.

export interface Reader {
  /** Harmless short options; `9` stands for all digits. */
  short?: string
  /** Harmless long options. */
  long?: string
  /** Other words beginning with a dash (or a plus) that are harmless. */
  word?: RegExp
  /** Its operands are no file names. */
  texts?: true
  /** The first operand is a pattern or script, unless one of these options gives it. */
  pattern?: RegExp
  /** At most this many operands. */
  operands?: number
}

const plainText: Reader = { short: 'n', texts: true }
const sums: Reader = { short: 'btz', long: 'binary text tag zero' }
const grep: Reader = {
  pattern: /^-[a-zA-Z0-9]*e|^--regexp/,
  short: 'abcEFGHhiLlnoPqsTvwxyzZABCem9',
  long:
    'color colour ignore-case invert-match count files-with-matches files-without-match line-number only-matching ' +
    'word-regexp line-regexp extended-regexp fixed-strings basic-regexp perl-regexp quiet silent no-messages ' +
    'with-filename no-filename after-context before-context context max-count include exclude exclude-dir regexp text',
}
const ends: Reader = { short: 'cnqvz9', long: 'bytes lines quiet silent verbose', word: /^[-+]\d+$/ }

/** By program, called by its bare name. What is not listed here is not known to be harmless. */
export const readers: Readonly<Record<string, Reader>> = {
  ls: {
    short: 'aAbBcCdfFgGhHiklmnNopqQrRsStTuUvwxXZ19',
    long:
      'all almost-all color human-readable recursive reverse sort size time format group-directories-first ' +
      'directory inode full-time time-style no-group numeric-uid-gid classify si width',
  },
  cat: { short: 'AbeEnstTuv', long: 'number number-nonblank show-all show-ends show-tabs squeeze-blank' },
  tac: {},
  nl: { short: 'bdfhinpsvwlat9' },
  rev: {},
  head: ends,
  tail: ends,
  wc: { short: 'clmwL', long: 'bytes chars lines words max-line-length' },
  grep,
  egrep: grep,
  fgrep: grep,
  rg: {
    pattern: /^-[a-zA-Z0-9]*e|^--(?:regexp|files$|type-list|version)/,
    short: 'niIlocwvFsSNHABCgtTmxqabP9jreM',
    long:
      'line-number no-line-number ignore-case files files-with-matches files-without-match count count-matches glob ' +
      'iglob type type-not type-list max-count context after-context before-context word-regexp line-regexp ' +
      'fixed-strings smart-case case-sensitive only-matching multiline no-heading heading column color stats json ' +
      'sort sortr max-depth max-filesize invert-match pcre2 trim vimgrep replace no-filename with-filename ' +
      'max-columns regexp quiet passthru threads version',
  },
  find: {
    word: /^-(?:name|iname|path|ipath|wholename|type|maxdepth|mindepth|mtime|mmin|newer|size|empty|print|print0|not|o|a|or|and|prune|regex|iregex|perm|user|group|links|xdev|mount|depth|ls|printf|quit|true|false|P|H|\d+[kMGcwb]?|[\d/][\d=]*)$/,
  },
  fd: {
    short: 'HsigaletdpF09',
    long: 'hidden glob type extension max-depth min-depth absolute-path full-path exclude color size changed-within',
  },
  tree: { short: 'adfLIPshDCFuipgQrtUJ9', long: 'dirsfirst noreport' },
  stat: { short: 'cftLx', long: 'format terse printf' },
  file: { short: 'biLNp', long: 'brief mime mime-type mime-encoding' },
  du: { short: 'ahsckmdx9', long: 'human-readable summarize max-depth total apparent-size' },
  df: { short: 'hHkmTPi', long: 'human-readable' },
  realpath: { short: 'emsqz' },
  readlink: { short: 'femnqsvz' },
  basename: { short: 'asz', texts: true },
  dirname: { short: 'z', texts: true },
  cut: {
    short: 'bcdfsnz9',
    long: 'delimiter fields bytes characters output-delimiter complement only-delimited',
  },
  tr: { short: 'cCdst', texts: true },
  sort: {
    short: 'bdfghiMnRrVcCkmstuz9',
    long: 'reverse numeric-sort unique key human-numeric-sort version-sort',
  },
  uniq: { short: 'cdDfisuwz9', operands: 1 },
  column: { short: 'tscxnN' },
  paste: { short: 'dsz' },
  join: { short: 'aeitv12oj9' },
  comm: { short: '123z', long: 'output-delimiter' },
  fold: { short: 'bsw9' },
  fmt: { short: 'cstuw9' },
  expand: { short: 'it9' },
  unexpand: { short: 'at9' },
  od: { short: 'AaNjtcxdowv9bfilsv' },
  hexdump: { short: 'bcCdnosvx9' },
  xxd: { short: 'bcegilopsu9', operands: 1 },
  strings: { short: 'afnoteT9' },
  cmp: { short: 'bilns9' },
  diff: { short: 'abBcdeEiInNpqstTuUwyZ9', long: 'unified brief side-by-side color ignore-all-space' },
  sha1sum: sums,
  sha256sum: sums,
  sha512sum: sums,
  md5sum: sums,
  b2sum: sums,
  cksum: {},
  jq: {
    short: 'ceCMrjaSsRn',
    long: 'arg argjson raw-output compact-output slurp null-input exit-status sort-keys tab',
  },
  sed: {
    pattern: /^-[nErsuz]*e|^--expression/,
    short: 'nErsuze',
    long: 'quiet silent regexp-extended expression',
  },
  awk: { short: 'Fv', pattern: /^$/ },
  gawk: { short: 'Fv', pattern: /^$/ },
  mawk: { short: 'Fv', pattern: /^$/ },
  test: { word: /^-[a-uw-zA-QS-Z]{1,2}$/ },
  '[': { word: /^-[a-uw-zA-QS-Z]{1,2}$/ },
  cd: { operands: 1 },
  pwd: { short: 'LP' },
  echo: { short: 'neE', texts: true, word: /^-/ },
  printf: { texts: true, word: /^-[^v]/ },
  true: { texts: true },
  false: { texts: true },
  ':': { texts: true },
  exit: { texts: true },
  set: { short: 'euo', texts: true, word: /^\+[eux]$/ },
  wait: { texts: true },
  sleep: { texts: true },
  seq: { short: 'fsw', texts: true, word: /^-?\d+$/ },
  expr: { texts: true },
  date: { short: 'uRI', long: 'utc iso-8601 rfc-3339', texts: true },
  cal: plainText,
  uname: { short: 'asnrvmpio' },
  arch: {},
  nproc: { long: 'all' },
  uptime: { short: 'ps' },
  whoami: {},
  id: { short: 'ugGnr', texts: true },
  groups: { texts: true },
  hostname: { short: 'sfi', operands: 0 },
  tty: { short: 's' },
  which: { short: 'a', texts: true },
  type: { short: 'aptPf', texts: true },
  command: { short: 'vV', texts: true },
}

/** Asking one of these for its version runs nothing else. */
export const versioned: ReadonlySet<string> = new Set(
  (
    'node npm npx pnpm yarn bun deno python python3 pip pip3 uv poetry ruby gem bundle go rustc cargo rustup java ' +
    'javac mvn gradle kotlin scala sbt php composer perl lua swift zig dotnet gcc g++ clang clang++ cc make cmake ' +
    'ninja git gh docker podman kubectl helm terraform tsc eslint prettier biome vitest jest mocha pytest mypy ' +
    'ruff black rg fd jq sed awk grep tar curl wget bash zsh sqlite3 psql redis-server openssl ffmpeg rspec elixir'
  ).split(' '),
)

/** git commands that only show; they count as reading in a trusted workspace alone. The value: harmless operands. */
export const gitReaders: Readonly<Record<string, 'any' | 'none'>> = {
  ...{ status: 'any', log: 'any', diff: 'any', show: 'any', blame: 'any', shortlog: 'any', describe: 'any' },
  ...{
    'rev-parse': 'any',
    'rev-list': 'any',
    'ls-files': 'any',
    'ls-tree': 'any',
    'cat-file': 'any',
    grep: 'any',
  },
  ...{
    'merge-base': 'any',
    'name-rev': 'any',
    'count-objects': 'any',
    'for-each-ref': 'any',
    'show-ref': 'any',
  },
  ...{ 'diff-tree': 'any', cherry: 'any', whatchanged: 'any', version: 'none', branch: 'none', tag: 'none' },
}

/** Options with which `git branch` and `git tag` change something. */
export const gitChanges =
  /^(?:-[dDmMcCfu]|--(?:delete|move|copy|force|set-upstream|unset-upstream|track|create)|-[a-z]*[dDmMcCfuse])/
