// The analysis of every command that a shell line can run, including those in wrappers, quotes
// and nested scripts.

import { homeDir } from '../../base/dirs.ts'
import { messageOf } from '../../base/errors.ts'
import { inspectCommand, isUnknown } from './command-inspection.ts'
import { isCommandVariable } from './environment.ts'
import { readGit } from './git/git-words.ts'
import { operandsOf } from './operands.ts'
import { isListed } from './programs/program-table.ts'
import { programName, unwrapCommand, type WrappedCommands } from './programs/wrappers.ts'
import type { ShellAnalysis, ShellPart } from './shell-part.ts'
import { parseShell } from './syntax/grammar.ts'
import { readPlainLine } from './syntax/plain-line.ts'
import type { ScriptReading, ShellWord, SimpleCommand } from './syntax/simple-command.ts'
import { simpleCommand } from './syntax/simple-command.ts'
import type { ShellPlaces } from './syntax/word-reader.ts'

/**
 * Largest depth of nested scripts and wrappers. If a line has more, only a rule for the exact line
 * may allow it.
 */
const DEPTH = 10

/**
 * Largest number of characters of one line. If a line has more, only a rule for the exact line may allow it.
 */
const LENGTH = 16 * 1024

/**
 * Largest total numbers of characters and words of all wrappers and nested scripts of a line, so that no line
 * takes long to analyze. If a line has more, only a rule for the exact line may allow it.
 */
const TOTAL = { characters: 2 * LENGTH, words: 2_000 }

/**
 * Number of characters that each nested script adds to the total in addition to its text, so that many short
 * scripts also reach the limit.
 */
const EACH = 200

/**
 * Values of `~` and `$TMPDIR`; `~` is the user's home directory by default. The code that judges a line and
 * the code that runs it must use the same values.
 */
export type KnownPlaces = { readonly [name in keyof ShellPlaces]?: string | undefined }

interface ShellScript {
  text: string
  via: readonly string[]
  /** Set if the first command of the script only encloses the other commands and is not judged itself. */
  framed?: true
}

interface LineAnalysis {
  parts: ShellPart[]
  scripts: ShellScript[]
  moves: (string | undefined)[]
  opaque: string | undefined
  home: string
  /** Numbers of characters and words that wrappers and scripts of the line may still have. */
  characters: number
  words: number
}

/**
 * Splits a line into its simple commands. Never rejects: an error makes the line opaque and keeps the
 * commands found so far. The grammar is loaded only if the line needs it. `$TMPDIR` has the value of
 * `temporary` only in a line that is understood completely.
 */
export async function analyzeLine(
  line: string,
  { home = homeDir(), temporary }: KnownPlaces = {},
): Promise<ShellAnalysis> {
  if (temporary !== undefined && usesTemporary(line, temporary)) {
    const analysis = await analyzeScripts(line, { home, temporary })
    // A command that may set a variable is either opaque or unknown, so TMPDIR has its value only if
    // no command is.
    const isSure = ({ opaque, unseen, unknown }: ShellPart) => opaque === undefined && !unseen && !unknown
    if (analysis.opaque === undefined && analysis.parts.every(isSure)) return analysis
  }
  return analyzeScripts(line, { home })
}

/**
 * Returns true if the line reads `$TMPDIR` and mentions it nowhere else, and its value stays one
 * word without quotes.
 */
function usesTemporary(line: string, temporary: string): boolean {
  const uses = line.match(/\$(?:TMPDIR\b|\{TMPDIR\})/g)?.length ?? 0
  const mentions = line.match(/TMPDIR/g)?.length ?? 0
  return uses > 0 && uses === mentions && !line.includes('IFS') && /^\/[\w./-]+$/.test(temporary)
}

async function analyzeScripts(line: string, places: ShellPlaces): Promise<ShellAnalysis> {
  const { home } = places
  const state: LineAnalysis = {
    parts: [],
    scripts: [{ text: line, via: [] }],
    moves: [],
    opaque: undefined,
    home,
    ...TOTAL,
  }
  try {
    // The list grows during this loop, because scripts contain further scripts.
    for (const script of state.scripts) {
      state.characters -= Math.min(script.text.length, LENGTH) + EACH
      if (state.characters < 0 || state.words < 0) {
        addDoubt(state, script, 'too much inside of it')
        break
      }
      const reading = await readScript(script, script.via.length === 0 ? places : { home })
      if (reading.doubt !== undefined) addDoubt(state, script, reading.doubt)
      const commands = script.framed ? reading.commands.slice(1) : reading.commands
      for (const command of commands) addCommand(command, script.via, state)
      for (const text of reading.scripts) {
        state.scripts.push({ text, via: [...script.via, 'a here-document'], framed: true })
      }
    }
  } catch (error) {
    state.opaque ??= `it could not be analysed (${messageOf(error)})`
  }
  return { parts: state.parts, opaque: state.opaque, moves: state.moves }
}

function addDoubt(state: LineAnalysis, script: ShellScript, why: string): void {
  state.opaque ??= script.via.length > 0 ? `${why}, inside ${script.via.at(-1)}` : why
}

async function readScript(script: ShellScript, places: ShellPlaces): Promise<ScriptReading> {
  if (script.via.length > DEPTH)
    return { commands: [], scripts: [], doubt: 'too many scripts inside of scripts' }
  if (script.text.length > LENGTH)
    return { commands: [], scripts: [], doubt: `more than ${LENGTH} characters` }
  if (script.text.trim() === '') return { commands: [], scripts: [], doubt: undefined }
  const easy = readPlainLine(script.text)
  if (easy) return easy
  const tree = await parseShell(script.text)
  if (typeof tree === 'string') return { commands: [], scripts: [], doubt: tree }
  const { readTree } = await import('./syntax/tree-reader.ts')
  return readTree(tree, script.text, places)
}

/** Adds a command and, level by level, the commands that it wraps. */
function addCommand(command: SimpleCommand, via: readonly string[], state: LineAnalysis): void {
  const todo: { command: SimpleCommand; via: readonly string[] }[] = [{ command, via }]
  for (let top = todo.pop(); top; top = todo.pop()) {
    const { words } = top.command
    const wrapped = unwrapCommand(words, top.command.stdin)
    const git = programName(words[0]) === 'git' ? readGit(words) : undefined
    const inspection = inspectCommand(top.command)
    const name = wrapped?.name ?? (git ? 'git' : '')
    const outer = [...top.via, name]
    state.words -= top.via.length > 0 ? words.length : 0
    const deep = outer.length > DEPTH || state.words < 0
    const opaque = wrapped ? `${wrapped.name} runs another command` : git?.opaque
    state.parts.push({
      ...partOf(top.command, words.length - innerLength(words, wrapped?.inner)),
      opaque: inspection.opaque ?? opaque ?? (deep ? 'too many wrappers' : undefined),
      unseen:
        inspection.unseen || top.command.unseen || wrapped?.unseen === true || git?.unseen === true || deep,
      unknown: wrapped === undefined && isUnknown(words),
      via: top.via,
    })
    addMove(words, wrapped?.moves === true, state)
    if (deep) continue
    for (const text of [...(wrapped?.scripts ?? []), ...(git?.scripts ?? [])])
      state.scripts.push({ text, via: outer })
    for (const { name, value } of top.command.sets) {
      if (isCommandVariable(name)) state.scripts.push({ text: value.text, via: [...top.via, name] })
    }
    const inner: (readonly ShellWord[])[] = [...(wrapped?.inner ?? []), ...(git?.inner ? [git.inner] : [])]
    for (const one of inner.toReversed()) {
      if (one.length === 0) continue
      const sets = wrapped?.sets ?? []
      todo.push({ command: { ...simpleCommand(one), sets, stdin: top.command.stdin }, via: outer })
    }
  }
}

/**
 * Returns how many words at the end are the only command that the words wrap, which is judged as a separate
 * part; otherwise 0.
 */
function innerLength(words: readonly ShellWord[], inner: WrappedCommands['inner'] = []): number {
  const [only, more] = inner
  if (!only || more || only.length >= words.length) return 0
  return only.every((word, i) => word === words[words.length - only.length + i]) ? only.length : 0
}

/**
 * Returns a simple command in the form of the analysis result, with all its words. Only the first
 * `ownWordCount` words can be operands, because the others are a wrapped command with a separate result.
 */
function partOf(
  command: SimpleCommand,
  ownWordCount: number,
): Omit<ShellPart, 'opaque' | 'unseen' | 'unknown' | 'via'> {
  const { words } = command
  const first = words.findIndex((word) => !word.known || word.glob)
  const target = (word: ShellWord) => (word.known && !word.glob ? word.text : undefined)
  return {
    words: words.map((word) => word.text),
    known: first < 0 ? words.length : first,
    writes: command.writes
      .filter((word) => !word.known || !/^\/dev\/(?:null|stdout|stderr)$/.test(word.text))
      .map(target),
    reads: command.reads.map((word) => word.text).filter((name) => name !== '/dev/null'),
    globs: words.flatMap((word, i) => (word.glob ? [i] : [])),
    ...operandsOf(command, ownWordCount),
  }
}

/** Records a change of directory, because relative names in the rest of the line depend on it. */
function addMove(words: readonly ShellWord[], wrapped: boolean, state: LineAnalysis): void {
  if (wrapped) state.moves.push(undefined)
  const program = words[0]?.known ? words[0].text : ''
  if (!isListed('folder changers', program)) return
  const targets = words.slice(1).filter((word) => !/^-(?:[LPe@]+|-)$/.test(word.text))
  const [to] = targets
  const sure = program !== 'popd' && targets.length === 1 && to?.known && !to.glob && !/^[-+]/.test(to.text)
  if (!sure) state.moves.push(targets.length === 0 && program === 'cd' ? state.home : undefined)
  else state.moves.push(hasParentStep(to.text, state.moves.length > 0) ? undefined : to.text)
}

/**
 * Returns true for `..` after another directory. If that directory is a link, the shell does not go to its
 * real parent, so the result is uncertain.
 */
function hasParentStep(path: string, moved: boolean): boolean {
  return (
    moved && !path.startsWith('/')
      ? /(?:^|\/)\.\.(?:\/|$)/
      : /(?:^|\/)(?!\.\.?(?:\/|$))[^/]+\/+(?:\.\/+)*\.\.(?:\/|$)/
  ).test(path)
}
