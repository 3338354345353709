// The prose of the project by surface, without code, and the patterns of a dialect that other projects do not have.
import ts from 'typescript5'
import { filesBelow, read } from './sources.ts'

export type Surface = 'comments' | 'strings' | 'titles' | 'manual' | 'prompts'

/** A piece of prose and the line of its file on which it starts. */
export interface Prose {
  surface: Surface
  text: string
  line: number
}

const body = [
  'nobody|somebody|whoever|whatever',
  '(?:is|are|was|were) none',
  '(?:is|are) no (?!longer|more|one|different|better|worse)[a-z]+',
  '(?:go|goes|went|going) on',
  'mend(?:s|ed|ing)?|purse|unasked|beside|quotations?',
  'walls?(?![ -]clock| time)|walled(?![ -]clock| time)',
  "(?:the|a) person(?:'s)?|persons",
  'of (?:yours|theirs)|of (?:its|their|your) own',
  'stands?|stood',
  '(?:lies|lay|lying) (?:in|at|on|below|behind|elsewhere|there|outside|within)',
  'holds (?:what|all|no|more|less|them|one|everything|nothing)',
  'passages? h(?:olds?|eld)',
  '(?:is|are|was|were|been|be) told|told of|tells? of',
  'for want of|for the sake of|without a word',
  '(?:comes|came|becomes?|became) of|(?:comes|came) to (?:it|this|that|be)',
  'br(?:oke|oken|eaks?) off|tak(?:en|es|e) up|hand(?:ed|s) over|puts? back|taken? back',
]
const anywhere = new RegExp(`\\b(?:${body.join('|')})\\b`, 'gi')
const commentStart = /^\s*(?:Absent|Present|Likewise)[:,]/gm
const clauseStart =
  /(?:^|[.;:]\s+|\n\n)(?:What|Whatever|Who) (?:is|was|has|have|it|they|comes|came|may|must|can|cannot|goes|does)\b/gm

/** Returns each place in `text` where the dialect is used, as it is written there. */
export function findDialect(text: string): string[] {
  return [anywhere, commentStart, clauseStart].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([match]) => match.trim()),
  )
}

export const countWords = (text: string): number => text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0

const codeEndings = ['.ts', '.tsx', '.mjs', '.cjs']

/** Returns the files that have prose: sources, tests, the manual, instructions of agents and the README. */
export function proseFiles(): string[] {
  const code = ['cmd', 'internal', 'test', '.github'].flatMap((dir) =>
    codeEndings.flatMap((ending) => filesBelow(dir, ending)),
  )
  const texts = ['cmd', 'internal', 'profiles', 'skills', 'manual', '.github'].flatMap((dir) =>
    filesBelow(dir, '.md'),
  )
  return [...code.filter((file) => !file.endsWith('.d.ts')), ...texts, 'README.md']
}

/** Returns the prose of one file. Code in Markdown and data in tests are not prose. */
export function proseOf(file: string): Prose[] {
  const text = read(file)
  if (codeEndings.some((ending) => file.endsWith(ending))) return proseOfCode(file, text)
  const surface = /^(?:manual\/|README|\.github\/)/.test(file) ? 'manual' : 'prompts'
  return [{ surface, text: withoutCode(text), line: 1 }]
}

const withoutCode = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, '`code`')
    .replace(/\]\([^)\s]*\)/g, ']')

function proseOfCode(file: string, text: string): Prose[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line + 1
  const isTest = file.startsWith('test/')
  const out: Prose[] = commentsOf(text).map(({ text: comment, at }) => ({
    surface: 'comments',
    text: comment.replace(/`[^`\n]*`/g, '`code`'),
    line: lineOf(at),
  }))
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return
    const isTitle = isTest && ts.isStringLiteralLike(node) && isTitleArgument(node)
    if (isTitle || (!isTest && isProseLiteral(node))) {
      const { text: literal } = node as ts.LiteralLikeNode
      if (/\w \w/.test(literal))
        out.push({
          surface: isTitle ? 'titles' : 'strings',
          text: literal.replace(/`[^`\n]*`/g, '`code`'),
          line: lineOf(node.getStart(source)),
        })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return out
}

const isProseLiteral = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

/** Whether it is the first argument of `test`, `it`, `describe` or one of their forms. */
function isTitleArgument(node: ts.StringLiteralLike): boolean {
  const call = node.parent
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return false
  return /^(?:test|it|describe)\b/.test(call.expression.getText())
}

/** Returns the comments of a source; line comments that follow each other are one. */
function commentsOf(text: string): { text: string; at: number }[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text)
  const out: { text: string; at: number; end: number }[] = []
  let templates = 0
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (kind === ts.SyntaxKind.TemplateHead) templates++
    if (kind === ts.SyntaxKind.CloseBraceToken && templates > 0) {
      const again = scanner.reScanTemplateToken(false)
      if (again === ts.SyntaxKind.TemplateTail) templates--
    }
    const at = scanner.getTokenStart()
    const end = scanner.getTokenEnd()
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia)
      out.push({ text: bareComment(text.slice(at, end)), at, end })
    if (kind !== ts.SyntaxKind.SingleLineCommentTrivia) continue
    const before = out.at(-1)
    const line = text.slice(at + 2, end).trim()
    if (before && /^[ \t]*\n[ \t]*$/.test(text.slice(before.end, at)) && text.startsWith('//', before.at)) {
      before.text += `\n${line}`
      before.end = end
    } else out.push({ text: line, at, end })
  }
  return out
}

const bareComment = (text: string) =>
  text
    .replace(/^\/\*+|\*+\/$/g, '')
    .replace(/^[ \t]*\*[ \t]?/gm, '')
    .trim()
