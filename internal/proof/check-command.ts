// Test whether the text of a check is a command, and the commands that a workspace offers in its place.
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'

/** Words of sentences about a goal, which commands rarely contain. */
const sentenceWord = /\b(?:the|should|must|pass|passes|works?|until|is|are)\b/i
const shellSign = /[/.=$|&;<>(){}[\]'"`!]|(?:^|\s)-/
const builtin = /^(?:test|true|false|cd|exec|eval|command|time)$/

/**
 * Returns whether a goal is a sentence: it has a typical word of sentences, or its first word is neither a
 * builtin nor an installed program. Text with a sign of a shell, such as `/` or `-x`, is not a sentence.
 */
export function isSentence(text: string, workspace: string, env: EnvironmentVariables): boolean {
  if (shellSign.test(text)) return false
  return sentenceWord.test(text) || !startsProgram(text, workspace, env)
}

/**
 * Returns false if the first word of a check is neither a builtin of the shell nor an installed program. Text
 * with a special character of the shell, such as `/` or `|`, always counts as a command.
 */
export function startsProgram(text: string, workspace: string, env: EnvironmentVariables): boolean {
  const [first = ''] = text.trim().split(/\s+/)
  if (shellSign.test(text) || builtin.test(first)) return true
  const dirs = [...(env.PATH ?? '').split(delimiter), join(workspace, 'node_modules/.bin')]
  return dirs.some((dir) => dir !== '' && existsSync(join(dir, first)))
}

/**
 * Returns the advice for a check that is not a command: the commands that the workspace offers, or `npm test`
 * as an example if it has no such command.
 */
export function adviseCommand(workspace: string): string {
  const commands = findScripts(workspace)
  return commands.length > 0
    ? `A check is a command. Found here: ${commands.join(', ')}`
    : 'A check is a command, such as npm test.'
}

/** Names of scripts that check work. The first ones say most about whether the work is correct. */
const scriptNames = ['test', 'check', 'lint', 'typecheck', 'build']

/**
 * Returns the commands by which the project files of the workspace, such as package.json or a Makefile, check
 * the work; at most six.
 */
export function findScripts(workspace: string): string[] {
  const read = (name: string) => {
    try {
      return readFileSync(join(workspace, name), 'utf8')
    } catch {
      return ''
    }
  }
  const scripts = readScripts(read('package.json'))
  const npm = scriptNames.filter((name) => scripts.includes(name))
  const targets = [...read('Makefile').matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name)
  const commands = [
    ...npm.map((name) => (name === 'test' ? 'npm test' : `npm run ${name}`)),
    ...scriptNames.filter((name) => targets.includes(name)).map((name) => `make ${name}`),
    ...(/pytest/.test(read('pyproject.toml') + read('pytest.ini')) ? ['pytest'] : []),
    ...(existsSync(join(workspace, 'Cargo.toml')) ? ['cargo test'] : []),
    ...(existsSync(join(workspace, 'go.mod')) ? ['go test ./...'] : []),
  ]
  return commands.slice(0, 6)
}

function readScripts(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text).scripts ?? {})
  } catch {
    return []
  }
}
