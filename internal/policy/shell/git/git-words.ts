// How git runs other programs: global options, aliases, and options of its commands.
import type { ShellWord } from '../syntax/simple-command.ts'

/** What a git command is besides its words. */
interface GitWords {
  /** The command without global options, when there were some. */
  inner: readonly ShellWord[] | undefined
  scripts: readonly string[]
  opaque: string | undefined
  unseen: boolean
}

const builtins: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore ' +
    'check-mailmap check-ref-format checkout checkout-index cherry cherry-pick clean clone column commit ' +
    'commit-graph commit-tree config count-objects credential describe diff diff-files diff-index diff-tree ' +
    'difftool fast-export fast-import fetch filter-branch fmt-merge-msg for-each-ref for-each-repo format-patch ' +
    'fsck gc get-tar-commit-id grep gui hash-object help hook index-pack init instaweb interpret-trailers log ' +
    'ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree ' +
    'mergetool mktag mktree mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree ' +
    'rebase reflog remote repack replace replay request-pull rerere reset restore rev-list rev-parse revert rm ' +
    'send-email shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace ' +
    'submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var ' +
    'verify-commit verify-pack verify-tag version whatchanged worktree write-tree'
  ).split(' '),
)

/** Options by command (`*`: any) that start programs or write files. Git takes unambiguous beginnings of long ones. */
const options: Readonly<Record<string, { short?: string; long?: string }>> = {
  '*': { long: 'ext-diff textconv output upload-pack receive-pack exec open-files-in-pager show-signature' },
  grep: { short: 'O' },
  archive: { short: 'o', long: 'remote' },
  rebase: { short: 'xi', long: 'interactive' },
  clone: { short: 'uc', long: 'config template separate-git-dir recurse-submodules' },
  init: { long: 'template separate-git-dir' },
  fetch: { long: 'upload-pack' },
  push: { long: 'receive-pack' },
  'format-patch': { short: 'o' },
  branch: { long: 'edit-description' },
  commit: { short: 'S', long: 'gpg-sign template' },
  merge: { short: 'sS', long: 'strategy gpg-sign' },
  help: { short: 'wim', long: 'web info man' },
  apply: { long: 'unsafe-paths directory' },
}

/** Commands that start programs whatever their words. */
const runners =
  /^(?:difftool|mergetool|filter-branch|send-email|instaweb|gui|hook|maintenance|for-each-repo|credential)$/

export function readGit(words: readonly ShellWord[]): GitWords {
  const scripts: string[] = []
  let opaque: string | undefined
  let unseen = false
  let i = 1
  for (; i < words.length; i++) {
    const { text, known, glob } = words[i] as ShellWord
    if (!known || glob || !text.startsWith('-')) break
    if (
      /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-advice|--version|-v|--help)$/.test(text)
    )
      continue
    opaque ??= `the option ${text.split('=')[0]} changes what git runs or where`
    if (!/^(?:-c|-C|--git-dir|--work-tree|--namespace|--config-env|--attr-source|--super-prefix)$/.test(text))
      continue
    const value = words[++i]
    if (text === '-c') scripts.push(...programIn(value?.text ?? ''))
    unseen ||= value?.known !== true
  }
  const rest = words.slice(i)
  const sub = rest[0]?.known && !rest[0].glob ? rest[0].text : undefined
  if (rest.length > 0) {
    if (sub === undefined) unseen = true
    else if (!builtins.has(sub)) {
      opaque ??= `git ${sub} is no command of git's own and may be an alias or a program`
      unseen = true
    } else {
      const danger = risk(sub, rest)
      opaque ??= danger
      scripts.push(...scriptsOf(sub, rest))
      unseen ||= danger !== undefined || rest.some((word) => /^ext::/.test(word.text))
    }
  }
  const inner = i > 1 && rest.length > 0 ? [words[0] as ShellWord, ...rest] : undefined
  return { inner, scripts, opaque, unseen }
}

/** The program in a setting such as `alias.x=!rm` or `core.pager=less`. */
function programIn(setting: string): string[] {
  const [key = '', ...rest] = setting.split('=')
  const value = rest.join('=')
  if (value === '') return []
  if (key.startsWith('alias.')) return [value.startsWith('!') ? value.slice(1) : `git ${value}`]
  return /pager|editor|command|cmd|fsmonitor|textconv|external|askpass|helper|program|driver|clean|smudge|process/i.test(
    key,
  )
    ? [value.replace(/^!/, '')]
    : []
}

function risk(sub: string, rest: readonly ShellWord[]): string | undefined {
  if (runners.test(sub)) return `git ${sub} starts other programs`
  const table = [options['*'], Object.hasOwn(options, sub) ? options[sub] : undefined]
  const long = table.flatMap((entry) => entry?.long?.split(' ') ?? [])
  const short = table.map((entry) => entry?.short ?? '').join('')
  for (const { text } of rest.slice(1)) {
    if (text === '--') break
    const name = /^--([\w-]+)/.exec(text)?.[1]
    const hit = name !== undefined && long.find((option) => option.startsWith(name))
    if (hit) return `git ${sub} --${hit} may run programs or write files`
    if (/^-\w/.test(text) && [...text.slice(1)].some((letter) => short.includes(letter))) {
      return `git ${sub} ${text} may run programs or write files`
    }
    if (/^ext::/.test(text)) return 'an ext:: address runs a program'
  }
  const second = rest[1]?.text ?? ''
  if (sub === 'config' && !/^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/.test(second)) {
    return 'git config changes settings that name programs'
  }
  if ((sub === 'bisect' && second === 'run') || (sub === 'submodule' && second !== 'status')) {
    return `git ${sub} ${second} may run programs`
  }
  return undefined
}

function scriptsOf(sub: string, rest: readonly ShellWord[]): string[] {
  const texts = rest.map((word) => word.text)
  if (sub === 'bisect' && texts[1] === 'run') return [texts.slice(2).join(' ')]
  const foreach = texts.indexOf('foreach')
  if (sub === 'submodule' && foreach > 0) {
    return [
      texts
        .slice(foreach + 1)
        .filter((text) => text !== '--recursive')
        .join(' '),
    ]
  }
  if (sub !== 'rebase') return []
  return texts.flatMap((text, i) => {
    if (/^(?:-x|--exec)$/.test(text)) return texts.slice(i + 1, i + 2)
    const own = /^(?:-x|--exec=)(.+)$/s.exec(text)?.[1]
    return own === undefined ? [] : [own]
  })
}
