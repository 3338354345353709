// Code as runs of text, each with the kind of its words. Pure: the grammars are an argument.

/** Kinds of words in code. A screen or a page gives each kind a color. */
export const codeKinds = [
  'keyword',
  'string',
  'number',
  'comment',
  'type',
  'name',
  'property',
  'meta',
  'added',
  'removed',
] as const
export type CodeKind = (typeof codeKinds)[number]

export interface CodeRun {
  text: string
  /** Kind of the text; undefined for punctuation, variables and other plain text. */
  kind: CodeKind | undefined
}

interface CodeToken {
  scope?: string
  children: readonly (CodeToken | string)[]
}

/** The part of the interface of highlight.js that is used. */
export interface CodeGrammars {
  getLanguage(name: string): unknown
  highlight(text: string, options: { language: string; ignoreIllegals: boolean }): object
}

/**
 * Largest number of characters of a block that is read. A longer block stays plain, because reading it
 * would delay keys.
 */
export const maxCodeChars = 20_000
/**
 * Largest length of a line in characters. A text with a longer line, which is data or minified
 * code, stays plain.
 */
export const maxCodeLine = 1_000

/** Returns true if a text and all its lines are short enough to be colored by their kind of words. */
export function isReadableCode(text: string): boolean {
  if (text.length > maxCodeChars) return false
  return text.length <= maxCodeLine || text.split('\n').every((line) => line.length <= maxCodeLine)
}

/**
 * Returns the runs of a text, whose joined texts equal the text. Returns undefined for an unknown language,
 * for a text that is too long, and if the grammar changes the text.
 */
export function readCodeRuns(text: string, language: string, grammars: CodeGrammars): CodeRun[] | undefined {
  if (!isReadableCode(text) || grammars.getLanguage(language) === undefined) return undefined
  const { _emitter: emitter } = grammars.highlight(text, { language, ignoreIllegals: true }) as {
    _emitter?: { rootNode?: CodeToken }
  }
  const runs: CodeRun[] = []
  if (emitter?.rootNode) addRuns(emitter.rootNode, undefined, runs)
  // if the grammar changed the text, the text stays plain
  return runs.map((run) => run.text).join('') === text ? runs : undefined
}

function addRuns({ children }: CodeToken, kind: CodeKind | undefined, runs: CodeRun[]): void {
  for (const child of children) {
    if (typeof child !== 'string') addRuns(child, kindOfScope(child.scope, kind), runs)
    else if (runs.at(-1)?.kind === kind && runs.length > 0) (runs.at(-1) as CodeRun).text += child
    else runs.push({ text: child, kind })
  }
}

/** The kind of each scope of highlight.js. A key is the part of the scope before its first period. */
const kinds: Readonly<Record<string, CodeKind | 'plain'>> = {
  keyword: 'keyword',
  bullet: 'keyword',
  'selector-tag': 'keyword',
  'template-tag': 'keyword',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  code: 'string',
  symbol: 'string',
  number: 'number',
  literal: 'number',
  comment: 'comment',
  doctag: 'comment',
  quote: 'comment',
  type: 'type',
  built_in: 'type',
  'selector-class': 'type',
  'selector-id': 'type',
  title: 'name',
  section: 'name',
  name: 'name',
  attr: 'property',
  attribute: 'property',
  property: 'property',
  'selector-attr': 'property',
  'template-variable': 'property',
  'selector-pseudo': 'property',
  variable: 'property',
  meta: 'meta',
  addition: 'added',
  deletion: 'removed',
  // code inside of a string, such as `${x}`, is not a part of the string
  subst: 'plain',
}

function kindOfScope(scope: string | undefined, outer: CodeKind | undefined): CodeKind | undefined {
  if (scope === undefined) return outer
  if (scope === 'variable.language') return 'keyword'
  if (scope.startsWith('title.class')) return 'type'
  const kind = kinds[scope.split('.', 1)[0] as string]
  return kind === 'plain' ? undefined : (kind ?? outer)
}

/** Returns the runs of each line. The line ends are removed. */
export function splitCodeLines(runs: readonly CodeRun[]): CodeRun[][] {
  const lines: CodeRun[][] = [[]]
  for (const { text, kind } of runs) {
    for (const [i, part] of text.split('\n').entries()) {
      if (i > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, kind })
    }
  }
  return lines
}
