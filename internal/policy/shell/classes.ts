// The command classes of mode `auto`: is a command known to only read, or to only test and build?
import { type Builder, builders, localName } from './building.ts'
import type { ShellPart } from './part.ts'
import { gitChanges, gitReaders, type Reader, readers, versioned } from './reading.ts'

export interface Class {
  class: 'reading' | 'building'
  /** Words that may name files; all of them must lie in the workspace. */
  files: readonly string[]
  /** Counts only where git may be trusted. */
  git: boolean
}

/** The class of a part, or undefined for what is not known to be harmless. */
export function classify(part: ShellPart): Class | undefined {
  const [program, ...words] = part.words
  if (program === undefined || part.opaque !== undefined || part.unseen || part.known === 0) return undefined
  const found = read(program, words) ?? build(program, words)
  return found && { ...found, files: [...found.files, ...part.reads] }
}

function read(program: string, words: readonly string[]): Class | undefined {
  if (versioned.has(program) && words.length === 1 && /^(?:--version|-v|-V|version)$/.test(words[0] ?? '')) {
    return { class: 'reading', files: [], git: false }
  }
  if (program === 'git') return readGit(words)
  const reader = Object.hasOwn(readers, program) ? readers[program] : undefined
  if (!reader || (program === 'command' && !/^-[vV]$/.test(words[0] ?? ''))) return undefined
  const files = operands(words, reader)
  return files && { class: 'reading', files: reader.texts ? [] : files, git: false }
}

/** The operands and attached values, or undefined when an option is not known to be harmless. */
function operands(words: readonly string[], reader: Reader): string[] | undefined {
  const files: string[] = []
  const long = reader.long?.split(' ') ?? []
  const given = !reader.pattern || words.some((word) => reader.pattern?.test(word))
  let pattern = -1
  let count = 0
  let options = true
  for (const word of words) {
    if (options && word === '--') options = false
    else if (options && reader.word?.test(word)) continue
    else if (options && word.startsWith('--')) {
      const [name = '', ...value] = word.slice(2).split('=')
      if (!long.includes(name)) return undefined
      files.push(value.join('='))
    } else if (options && /^-./.test(word)) {
      const letters = [...word.slice(1)]
      // the value attached to a harmless option may be any text: only digits and letters are told apart from it
      if (!letters.every((letter) => (reader.short ?? '').includes(/\d/.test(letter) ? '9' : letter)))
        return undefined
    } else {
      if (count++ === 0 && !given) pattern = files.length
      files.push(word)
    }
  }
  if (reader.operands !== undefined && count > reader.operands) return undefined
  return files.filter((file, i) => file !== '' && i !== pattern)
}

function readGit(words: readonly string[]): Class | undefined {
  const [sub = '', ...rest] = words.filter((word, i) => i > 0 || !/^(?:--no-pager|-P)$/.test(word))
  const kind = Object.hasOwn(gitReaders, sub) ? gitReaders[sub] : undefined
  if (kind === undefined) return undefined
  if (kind === 'none' && rest.some((word) => !word.startsWith('-') || gitChanges.test(word))) return undefined
  // `HEAD:.env` names a file as well
  const files = rest.flatMap((word) => [word.replace(/^--?[\w-]+=?/, ''), word.slice(word.indexOf(':') + 1)])
  return { class: 'reading', files: files.filter(Boolean), git: true }
}

function build(program: string, words: readonly string[]): Class | undefined {
  const name = localName(program) ?? (program.includes('/') ? undefined : program)
  const builder = name !== undefined && Object.hasOwn(builders, name) ? builders[name] : undefined
  if (!builder) return undefined
  const files = buildWords(words, builder)
  return (
    files && { class: 'building', files: program.includes('/') ? [program, ...files] : files, git: false }
  )
}

function buildWords(words: readonly string[], builder: Builder): string[] | undefined {
  const { does, needs } = builder
  const length = does ? [1, 2].find((count) => does.test(words.slice(0, count).join(' '))) : 0
  if (length === undefined) return undefined
  if (needs && !words.some((word) => needs.test(word))) return undefined
  const flags = builder.flags?.split(' ') ?? []
  const files: string[] = []
  for (const word of words.slice(length)) {
    if (word === '--') continue
    const option = /^--?([^=]+)(?:=(.*))?$/s.exec(word)
    if (option?.[1] !== undefined) {
      const digits = option[1].replace(/\d+$/, '')
      if (![option[1], digits, word.replace(/^--?/, '')].some((name) => flags.includes(name)))
        return undefined
      if (option[2]) files.push(option[2])
    } else if (builder.operand && !builder.operand.test(word)) return undefined
    else files.push(word)
  }
  return files
}
