// The check for commands that only read, by the table of known programs. A command with an unknown option
// does not count as reading.
import { countNoun } from '../../../base/text/count-noun.ts'
import { awkPrints } from './awk.ts'
import { jqReads } from './jq.ts'
import { type ScannedWords, scanWords } from './option-scan.ts'
import { findOversizedOutput } from './output-size.ts'
import { findProgram, type ProgramEntry, traitWords } from './program-table.ts'
import { sedPrints } from './sed.ts'

/**
 * The files below a directory whose content a command prints: all, those without a leading dot, or those
 * that git tracks.
 */
export type SearchedFiles = 'all' | 'visible' | 'tracked'

/** The files that a command touches if it only reads. */
interface ReadingWords {
  /** Words that may name files. */
  files: readonly string[]
  /** Which files below directories the command prints; see `CommandClass.searches`. */
  searches: SearchedFiles | undefined
  below: readonly string[]
}

/** Reason why a command of a program that usually only reads may do more. */
interface OddWords {
  odd: string
  /** True if the command may start programs that the line does not show. */
  unseen: boolean
}

type JudgedWords = ReadingWords | OddWords

/**
 * Judges the words, which begin with the name of the program. Undefined for programs that the table does
 * not list as readers, for git commands that it does not list, and if the first word is not an option that
 * the entry requires.
 */
export function judgeReader(words: readonly string[]): JudgedWords | undefined {
  const [name = '', ...rest] = words
  const program = findProgram('reads', name)
  if (!program) return undefined
  const needs = traitWords(program, 'needs')
  if (needs.length > 0 && !needs.includes(rest[0]?.slice(1) ?? '')) return undefined
  const large = findOversizedOutput(name, rest)
  if (large !== undefined) return { odd: large, unseen: false }
  const judgeName = program.traits.get('own')
  if (judgeName === 'git') return judgeGit(rest)
  if (judgeName === 'test') return judgeTest(name, rest)
  if (judgeName === 'printf') return judgePrintf(rest)
  if (program.traits.has('any')) return nothing
  return judgeProgram(name, rest, program)
}

const nothing: ReadingWords = { files: [], searches: undefined, below: [] }

function judgeProgram(name: string, words: readonly string[], program: ProgramEntry): JudgedWords {
  const starts = program.traits.has('starts')
  const scan = scanWords(words, program)
  if (typeof scan === 'string') {
    const why = starts ? 'may start programs or write files' : 'is not known to only read'
    return { odd: `${name} ${scan} ${why}`, unseen: starts }
  }
  if (scan.writes !== undefined) return { odd: `${name} may write ${scan.writes}`, unseen: false }
  const script = judgeScripts(program, scan)
  if (script) return script
  const count = judgeCount(name, program, scan)
  if (count) return { odd: count, unseen: false }
  const has = (trait: string) => traitWords(program, trait).some((option) => scan.optionNames.has(option))
  const first = program.traits.has('first') && !has('given') ? 1 : 0
  const operands = program.traits.has('texts') ? [] : scan.operands.slice(first)
  const below = operands.length > 0 ? operands : ['.']
  const files = [...operands, ...scan.files]
  if (!program.traits.has('contents')) return { ...nothing, files }
  const prints = program.traits.has('below') || program.traits.has('unless')
  const hasPattern = has('below') || (program.traits.has('unless') && !has('unless'))
  if (prints && !hasPattern) return { ...nothing, files }
  return { files, searches: program.traits.has('hidden') || has('dots') ? 'all' : 'visible', below }
}

function judgeCount(name: string, program: ProgramEntry, scan: ScannedWords): string | undefined {
  const bound = (trait: string) => {
    const value = program.traits.get(trait)
    return value === undefined ? undefined : Number(value)
  }
  const lists = traitWords(program, 'list').some((option) => scan.optionNames.has(option))
  const count = scan.operands.length
  const max = lists ? undefined : bound('max')
  const late = program.traits.has('outputs') ? scan.late : 0
  if (max !== undefined && count + late > max)
    return `${name} with ${countNoun(count + late, 'operand')} may do more than read`
  const listed = program.traits.has('expands') && scan.operands.find((word) => word.startsWith('@'))
  if (listed) return `${name} ${listed} takes its options from a file, and prints anything else in it`
  // With fewer operands and options than `min`, such a program does something else: a bare `set`, for
  // example, prints every variable.
  const min = bound('min')
  if (min !== undefined && count + scan.optionNames.size < min)
    return `${name} alone prints more than it was asked for`
  const plus = program.traits.has('plus') && scan.operands.find((word) => !word.startsWith('+'))
  return plus ? `${name} ${plus} may change something` : undefined
}

/** Judges scripts in the words of sed, awk and jq; undefined for other programs. */
function judgeScripts(program: ProgramEntry, scan: ScannedWords): JudgedWords | undefined {
  const values = (...options: string[]) =>
    scan.values.filter(([option]) => options.includes(option)).map(([, text]) => text)
  const [first, ...files] = scan.operands
  // The words may only ask for the version or for help, which needs no script.
  const asks =
    first === undefined &&
    scan.optionNames.size === 1 &&
    /^(?:version|help)$/.test([...scan.optionNames][0] ?? '')
  switch (program.traits.get('own')) {
    case 'sed': {
      const scripts = values('e', 'expression')
      // If the script is an option, some programs still take an operand before that option as the script, so
      // it is checked too.
      const late = scripts.length === 0 || scripts.some((script) => scan.files.includes(script))
      const all = first !== undefined && late ? [...scripts, first] : scripts
      if (asks) return nothing
      if (all.length === 0 || !all.every(sedPrints))
        return { odd: 'the sed script may write files or run programs', unseen: true }
      if (scan.optionNames.has('i') || scan.optionNames.has('in-place'))
        return { odd: 'sed -i writes files in place', unseen: false }
      return { ...nothing, files: scripts.length > 0 ? scan.operands : files }
    }
    case 'awk': {
      if (asks) return nothing
      const sets = values('v').every((text) => /^(?:[a-z_]\w*|[OF]S|[OR]RS)=/.test(text))
      if (first === undefined || !sets || !awkPrints(first))
        return { odd: 'the awk program may write, read or run', unseen: true }
      return { ...nothing, files: [...files, ...scan.files] }
    }
    case 'jq':
      if (first === undefined ? scan.optionNames.size > 0 : !jqReads(first))
        return { odd: 'the jq filter may read more than its input', unseen: false }
      return { ...nothing, files: [...files, ...scan.files] }
    default:
      return undefined
  }
}

const operators =
  /^(?:-[a-hknprstuwxzGLNOS]|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)|=|==|!=|!|-[ao]|[()]|\\?[<>]|-?\d+)$/

/**
 * Judges `[ … ]` and `test`. A word with a leading dash that is not a listed operator is refused, such as
 * `-v` and `-R`, which evaluate the name after them.
 */
function judgeTest(name: string, words: readonly string[]): JudgedWords {
  const inner = name === '[' ? words.slice(0, -1) : words
  if (name === '[' && words.at(-1) !== ']') return { odd: 'a [ without its ]', unseen: true }
  const odd = inner.find((word) => word.startsWith('-') && !operators.test(word))
  if (odd !== undefined) return { odd: `${name} ${odd} may evaluate the name of a variable`, unseen: true }
  return { ...nothing, files: inner.filter((word) => !operators.test(word)) }
}

/**
 * Judges the words of `printf`. With `-v` or `%n`, it sets variables and evaluates their names, so it does
 * more than print. An unknown option or format and more than 10,000 arguments are refused as well.
 */
function judgePrintf(words: readonly string[]): JudgedWords {
  const [format = '', ...rest] = words[0] === '--' ? words.slice(1) : words
  const plain = /^(?:[^%]|%%|%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[diouxXeEfFgGcsbq]|%\([^)]*\)T)*$/s
  const option = words[0] !== '--' && format.startsWith('-')
  if (option || !plain.test(format) || rest.length > 10_000)
    return { odd: `printf ${format.slice(0, 40)} may set a variable`, unseen: true }
  return nothing
}

/** Judges the words after `git`. Undefined for git commands that the table does not list as reading. */
function judgeGit(words: readonly string[]): JudgedWords | undefined {
  const rest = words.slice(words.findIndex((word) => !/^(?:--no-pager|-P)$/.test(word)))
  const [sub = '', second = ''] = rest
  const pair = findProgram('git', `${sub} ${second}`)
  const program = pair ?? findProgram('git', sub)
  if (!program) return undefined
  const ownWords = rest.slice(pair ? 2 : 1)
  const judged = judgeProgram(`git ${pair ? `${sub} ${second}` : sub}`, ownWords, program)
  if ('odd' in judged) return { ...judged, unseen: true }
  // Git also reads the file in `HEAD:.env` or `:0:.env`, so the text after each colon is a file name as well.
  const files = judged.files.flatMap((word) => [
    word,
    ...[...word.matchAll(/:/g)].map(({ index }) => word.slice(index + 1)),
  ])
  // True if words may be ids of git objects, which git shows regardless of the paths in the words.
  const loose =
    ownWords.includes('--stdin') || ownWords.some((word) => /(?:^\^?|-g)[0-9a-f]{4,}(?![^:^~.@])/i.test(word))
  // Git shows the content of a named object under all options of `show`.
  const searches = judged.searches || (loose && sub === 'show') ? ('tracked' as const) : undefined
  return {
    files: [...new Set(files)].filter(Boolean),
    searches,
    below: loose ? ['.'] : toPathspecs(judged.below),
  }
}

/**
 * Returns the words that may be paths and limit what git shows, and the paths of words in the form
 * `REVISION:PATH`; some may be revisions. Returns `.` if nothing limits the output, and for `REVISION:`,
 * which means all files of a revision.
 */
function toPathspecs(operands: readonly string[]): readonly string[] {
  // A pattern, or a word that begins with a colon, can also exclude paths, so nothing limits the output.
  if (operands.some((word) => /[*?[\\]|^:/.test(word))) return ['.']
  return operands.map((word) => (word.includes(':') ? word.slice(word.indexOf(':') + 1) || '.' : word))
}
