// Reader of command files, and the input of commands and skills. A command is a skill in one Markdown file,
// with or without frontmatter, and has the name of the file.
import { type Dirent, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { readFrontmatter, splitFrontmatter } from '../base/text/frontmatter.ts'
import type { Skill, SkillOrigin } from './skill.ts'

const maxDescription = 1024
const maxCommands = 500
const maxDepth = 3

/**
 * Returns the paths of at most 500 Markdown files in `root` and two levels of directories below it, relative
 * to `root` and sorted. Hidden files, links and files named README.md are left out. A directory that cannot
 * be read is passed to `onError` with the error, and left out.
 */
export function findCommandFiles(
  root: string,
  onError: (dir: string, error: unknown) => void,
  prefix = '',
  depth = 1,
): string[] {
  const paths: string[] = []
  for (const entry of readEntries(join(root, prefix), onError)) {
    const path = prefix === '' ? entry.name : `${prefix}/${entry.name}`
    if (entry.name.startsWith('.') || paths.length >= maxCommands) continue
    if (entry.isFile() && entry.name.endsWith('.md') && entry.name !== 'README.md') paths.push(path)
    else if (entry.isDirectory() && depth < maxDepth)
      paths.push(...findCommandFiles(root, onError, path, depth + 1))
  }
  return paths.slice(0, maxCommands)
}

function readEntries(dir: string, onError: (dir: string, error: unknown) => void): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    onError(dir, error)
    return []
  }
}

/**
 * Returns the command of the file `path` in `root`: `git/commit.md` becomes `git-commit`. Without a
 * description in the frontmatter, the first line of text describes it. Returns undefined if the file does not
 * exist. Throws UserError for an invalid name, invalid frontmatter, an empty text or an unreadable file.
 */
export async function parseCommand(
  root: string,
  path: string,
  origin: SkillOrigin,
): Promise<Skill | undefined> {
  const text = readSmall(join(root, path))
  if (text === undefined) return undefined
  const { fields, body } = splitFrontmatter(text)
    ? await readFrontmatter(text)
    : { fields: {} as Record<string, unknown>, body: text.trim() }
  const name = path.slice(0, -'.md'.length).replaceAll('/', '-')
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name))
    throw new UserError(`"${name}" is not a name for a command: use letters, digits, - and _, at most 64`)
  if (body === '') throw new UserError('the command has no text; write its instructions into the file')
  const first = body.split('\n').find((line) => line.trim() !== '') ?? ''
  const described = typeof fields.description === 'string' ? fields.description : first.replace(/^#+\s*/, '')
  const description = described.trim().replace(/\s+/g, ' ').slice(0, maxDescription) || name
  const file = join(root, path)
  return { name, description, body, files: [], origin, dir: dirname(file), command: file }
}

/**
 * Returns the instructions `body` with the input. The input, or `(no input was given)`, replaces `$INPUT` and
 * `$ARGUMENTS`. In a command, its words also replace `$1` to `$9`; a missing word is empty. If `body` has
 * none of these marks, a nonempty input is added at the end.
 */
export function fillInput(body: string, input: string | undefined, isCommand = false): string {
  const inputText = input?.trim() ?? ''
  const words = isCommand ? splitWords(inputText) : []
  const marks = isCommand ? /\$(INPUT\b|ARGUMENTS\b|[1-9](?!\d))/g : /\$(INPUT\b|ARGUMENTS\b)/g
  if (body.search(marks) < 0) return inputText === '' ? body : `${body}\n\nInput: ${inputText}`
  return body.replace(marks, (_, mark: string) =>
    /^\d$/.test(mark) ? (words[Number(mark) - 1] ?? '') : inputText || '(no input was given)',
  )
}

/**
 * Splits a text at spaces. A word that begins with a single or double quote extends to the next such quote,
 * and loses both.
 */
const splitWords = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
