// The ways in which git runs other programs: global options, aliases, and options of its commands.
import { findProgram, isListed } from '../programs/program-table.ts'
import type { ShellWord } from '../syntax/simple-command.ts'

/** The programs that a git command may start, and the command without its global options. */
interface GitWords {
  /**
   * The words without global options; undefined if the command has no global options, or no words after them.
   */
  inner: readonly ShellWord[] | undefined
  /** Shell commands that git starts, from its settings and options, such as `alias.x=!rm` and `--exec`. */
  scripts: readonly string[]
  /** Reason why the effect of the command is not known; undefined if it is known. */
  opaque: string | undefined
  /** True if git may start further programs that are not in `scripts`. */
  unseen: boolean
}

export function readGit(words: readonly ShellWord[]): GitWords {
  const scripts: string[] = []
  let opaque: string | undefined
  let unseen = false
  let i = 1
  for (; i < words.length; i++) {
    const { text, known: isKnown, glob } = words[i] as ShellWord
    if (!isKnown || glob || !text.startsWith('-')) break
    if (isListed('git passive', text)) continue
    opaque ??= `the option ${text.split('=')[0]} changes what git runs or where`
    if (!isListed('git valued', text)) continue
    const value = words[++i]
    if (text === '-c') scripts.push(...programIn(value?.text ?? ''))
    unseen ||= value?.known !== true
  }
  const rest = words.slice(i)
  const sub = rest[0]?.known && !rest[0].glob ? rest[0].text : undefined
  if (rest.length > 0) {
    if (sub === undefined) unseen = true
    else if (!isListed('git commands', sub)) {
      opaque ??= `git ${sub} is not a built-in git command and may be an alias or a program`
      unseen = true
    } else {
      const danger = findRisk(sub, rest)
      opaque ??= danger
      scripts.push(...scriptsOf(sub, rest))
      unseen ||= danger !== undefined || rest.some((word) => /^ext::/.test(word.text))
    }
  }
  const inner = i > 1 && rest.length > 0 ? [words[0] as ShellWord, ...rest] : undefined
  return { inner, scripts, opaque, unseen }
}

/**
 * Returns the shell command that a setting runs, as a list of one: `rm` for `alias.x=!rm`, `git log` for
 * `alias.x=log`, `less` for `core.pager=less`. For other settings returns an empty list.
 */
function programIn(setting: string): string[] {
  const [key = '', ...rest] = setting.split('=')
  const value = rest.join('=')
  if (value === '') return []
  if (key.startsWith('alias.')) return [value.startsWith('!') ? value.slice(1) : `git ${value}`]
  return isListed('program settings', key.toLowerCase()) ? [value.replace(/^!/, '')] : []
}

function findRisk(sub: string, rest: readonly ShellWord[]): string | undefined {
  if (isListed('git runners', sub)) return `git ${sub} starts other programs`
  const risky = ['any', sub].flatMap((name) => [...(findProgram('git risks', name)?.options.keys() ?? [])])
  for (const { text } of rest.slice(1)) {
    if (text === '--') break
    const name = /^--[\w-]+/.exec(text)?.[0]
    const hit = name !== undefined && risky.find((option) => option.startsWith(name))
    if (hit) return `git ${sub} ${hit} may run programs or write files`
    if (/^-\w/.test(text) && [...text.slice(1)].some((letter) => risky.includes(letter))) {
      return `git ${sub} ${text} may run programs or write files`
    }
    if (/^ext::/.test(text)) return 'an ext:: address runs a program'
  }
  const second = rest[1]?.text ?? ''
  if (sub === 'config' && !isListed('config queries', second)) {
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
    const execCommand = /^(?:-x|--exec=)(.+)$/s.exec(text)?.[1]
    return execCommand === undefined ? [] : [execCommand]
  })
}
