// The reader of one word of the tree: quotes removed as by the shell, or marked as known only at run time.
import type { ShellWord } from './simple-command.ts'
import type { SyntaxNode } from './syntax-tree.ts'

export interface ReadWord extends ShellWord {
  /** Reason why the shell and the grammar might read this word differently; undefined without doubt. */
  doubt: string | undefined
  /**
   * True if an expansion in the word may run code that a variable contains, or if a piece of it
   * is not understood.
   */
  unseen: boolean
  /** Tree nodes of the command and process substitutions inside the word. */
  inside: readonly SyntaxNode[]
  /** The unquoted text, with one U+FFFF for each quoted or expanded piece. */
  bare: string
}

interface WordPiece {
  text: string
  bare?: string
  known?: boolean
  unseen?: boolean
  doubt?: string
  inside?: readonly SyntaxNode[]
}

/** Kinds of tree nodes that are words. */
export const wordKinds: ReadonlySet<string> = new Set([
  ...['word', 'number', 'string', 'raw_string', 'ansi_c_string', 'translated_string', 'concatenation'],
  ...[
    'simple_expansion',
    'expansion',
    'command_substitution',
    'process_substitution',
    'arithmetic_expansion',
  ],
  'brace_expression',
])

/**
 * Character in `bare` for each piece that was quoted, escaped or expanded. A line that contains it
 * is not accepted.
 */
const HIDDEN = '\uffff'

/** Values that variables of the shell have when a script begins. */
export interface ShellPlaces {
  /** The value of `~`. */
  home: string
  /** The value of `$TMPDIR`, of plain characters only. Default: not known. */
  temporary?: string | undefined
}

/** Reads a word node. `source` is the whole script that its indexes point into. */
export function readWord(node: SyntaxNode, source: string, places: ShellPlaces): ReadWord {
  const nodes = node.type === 'concatenation' ? node.children : [node]
  const pieces = nodes.map((child, i) => readPiece(child, source, places, i === nodes.length - 1))
  const whole = nodes.every(
    (child, i) => child.startIndex === (i === 0 ? node.startIndex : nodes[i - 1]?.endIndex),
  )
  const bare = pieces.map((piece) => piece.bare ?? HIDDEN).join('')
  const text = pieces.map((piece) => piece.text).join('')
  const doubt = pieces.find((piece) => piece.doubt !== undefined)?.doubt
  const word: ReadWord = {
    text,
    known: pieces.every((piece) => piece.known !== false),
    glob: /[*?[]/.test(bare),
    doubt: doubt ?? (whole && !bare.startsWith('#') ? undefined : 'a word has a gap'),
    unseen: pieces.some((piece) => piece.unseen === true),
    inside: pieces.flatMap((piece) => piece.inside ?? []),
    bare,
  }
  return markExpansion(word, places.home)
}

/**
 * Marks a word as known only at run time if it has braces that expand or a `~name`. Replaces a leading `~`
 * that is alone or before a slash with the home directory. `{}` and `stash@{1}` are literal.
 */
function markExpansion(word: ReadWord, home: string): ReadWord {
  const { bare, text } = word
  if (/\{.*(?:,|\.\.).*\}/s.test(bare)) return { ...word, known: false }
  if (!bare.startsWith('~')) return word
  return /^~(?:\/|$)/.test(bare) ? { ...word, text: home + text.slice(1) } : { ...word, known: false }
}

function readPiece(node: SyntaxNode, source: string, places: ShellPlaces, last: boolean): WordPiece {
  const raw = source.slice(node.startIndex, node.endIndex)
  switch (node.type) {
    case 'word':
      return readBare(raw)
    case 'number':
      return /^-?[\da-zA-Z#@_]+$/.test(raw) ? { text: raw, bare: raw } : toOddPiece(raw)
    case 'raw_string':
      return /^'[^']*'$/.test(raw) ? { text: raw.slice(1, -1) } : toOddPiece(raw)
    case 'string':
      return readString(node, source, places)
    case 'ansi_c_string':
      return readAnsi(raw)
    case '$':
      return last ? { text: '$', bare: '$' } : toOddPiece(raw)
    case 'brace_expression':
      return { text: raw, bare: raw, known: false }
    default:
      return readExpansion(node, raw, places)
  }
}

function readBare(raw: string): WordPiece {
  if (!/^(?:[^\s'"<>()`$|&;\\]|\\[^\n])+$/.test(raw)) return toOddPiece(raw)
  return { text: raw.replace(/\\(.)/gs, '$1'), bare: raw.replace(/\\./gs, HIDDEN) }
}

/**
 * Matches text between expansions in double quotes: no unescaped quote or backquote, and `$` only if escaped
 * or where it cannot begin an expansion.
 */
const QUOTED = /^(?:[^"\\$`]|\\[\s\S]|\$(?=[ \t\n.,:;%/|)\]}]))*$/

function readString(node: SyntaxNode, source: string, places: ShellPlaces): WordPiece {
  const raw = source.slice(node.startIndex, node.endIndex)
  if (!/^"[\s\S]*"$/.test(raw)) return toOddPiece(raw)
  const expansions = node.namedChildren.filter((child) => child.type !== 'string_content')
  const piece: WordPiece = { text: '', inside: [], unseen: false }
  let at = node.startIndex + 1
  for (const child of [...expansions, undefined]) {
    const end = child?.startIndex ?? node.endIndex - 1
    let part = source.slice(at, end)
    if (child === undefined && /(?:^|[^\\$])\$$/.test(part)) part = part.slice(0, -1)
    if (end < at || !QUOTED.test(part)) return { ...toOddPiece(raw), inside: findSubstitutions(node) }
    piece.text += source.slice(at, end).replace(/\\([$`"\\])|\\\n/g, '$1')
    if (!child) break
    const inner = readExpansion(child, source.slice(child.startIndex, child.endIndex), places)
    if (inner.doubt !== undefined) return { ...toOddPiece(raw), inside: findSubstitutions(node) }
    piece.text += inner.text
    piece.known = piece.known !== false && inner.known !== false
    piece.unseen ||= inner.unseen === true
    piece.inside = [...(piece.inside ?? []), ...(inner.inside ?? [])]
    at = child.endIndex
  }
  return piece
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
}

/** Reads `$'…'`. The grammar looks for the last quote, the shell for the first that is not escaped. */
function readAnsi(raw: string): WordPiece {
  if (!/^\$'(?:[^'\\]|\\[\s\S])*'$/.test(raw)) return toOddPiece(raw)
  let isKnown = true
  const text = raw
    .slice(2, -1)
    .replace(
      /\\(?:x([\da-f]{1,2})|u([\da-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
      (all, hex, unicode, octal, char) => {
        if (char !== undefined) return ESCAPES[char] ?? unknown(all)
        const code = Number.parseInt(hex ?? unicode ?? octal, octal === undefined ? 16 : 8)
        // A NUL would end the word, and the meaning of a single byte above ASCII depends on the locale, so
        // both are unknown.
        return code > 0 && (code < 0x80 || unicode !== undefined) ? String.fromCharCode(code) : unknown(all)
      },
    )
  function unknown(all: string): string {
    isKnown = false
    return all
  }
  return { text, known: isKnown }
}

function readExpansion(node: SyntaxNode, raw: string, { temporary }: ShellPlaces): WordPiece {
  if (temporary !== undefined && /^\$(?:TMPDIR|\{TMPDIR\})$/.test(raw)) return { text: temporary }
  switch (node.type) {
    case 'simple_expansion':
      return /^\$(?:\w+|[@*#?$!-])$/.test(raw) ? { text: raw, known: false } : toOddPiece(raw)
    case 'expansion': {
      // Only an expansion of the form `${NAME}` certainly does not evaluate what the variable contains.
      const plain = /^\$\{\w+\}$/.test(raw)
      return { text: raw, known: false, unseen: !plain, inside: findSubstitutions(node) }
    }
    case 'command_substitution': {
      const sure = /^\$\([^(][\s\S]*\)$/.test(raw) || /^`[^`\\]*`$/.test(raw)
      const piece: WordPiece = sure ? { text: raw, known: false } : toOddPiece(raw)
      return { ...piece, inside: [node] }
    }
    case 'process_substitution':
      return { text: raw, known: false, inside: [node] }
    case 'arithmetic_expansion': {
      const sure = /^\$\(\([^()]*\)\)$/.test(raw) || /^\$\[[^[\]]*\]$/.test(raw)
      const constant = /^\$[([\d\s+*/%<>=!&|^~?:,()\]-]*$/.test(raw)
      const piece: WordPiece = sure ? { text: raw, known: false } : toOddPiece(raw)
      return { ...piece, unseen: !constant, inside: findSubstitutions(node) }
    }
    default:
      return { ...toOddPiece(raw), inside: findSubstitutions(node) }
  }
}

/** Returns the outermost substitutions below a node. */
export function findSubstitutions(node: SyntaxNode): SyntaxNode[] {
  return node.namedChildren.flatMap((child) =>
    /^(?:command|process)_substitution$/.test(child.type) ? [child] : findSubstitutions(child),
  )
}

const toOddPiece = (raw: string): WordPiece => ({
  text: raw,
  known: false,
  unseen: true,
  doubt: `the word ${raw.length > 40 ? `${raw.slice(0, 40)}…` : raw}`,
})
