// A program as a tool. Its only parameter is its arguments, and a Markdown page or its help describes it.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import * as z from 'zod/mini'
import { UserError } from '../base/errors.ts'
import { stripControlCharacters } from '../base/text/control-chars.ts'
import { readFrontmatter } from '../base/text/frontmatter.ts'
import type { RunCommand } from '../process/process-command.ts'
import { field } from '../tool/field.ts'
import { defineTool } from '../tool/tool.ts'
import type { CustomTool } from './module-tool.ts'
import { canStartPrograms, runProgram } from './program-run.ts'
import { readToolRecord } from './tool-record.ts'

/**
 * Returns the description of a program: from the Markdown page next to it, or without a page the first line
 * with text that `--help` prints. Throws UserError if that takes longer than `timeoutMs` milliseconds.
 */
export async function describeCli(
  path: string,
  page: string | undefined,
  cwd: string,
  run: RunCommand,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const name = basename(path)
  if (page !== undefined) {
    const { fields, body } = await readFrontmatter(readFileSync(page, 'utf8'))
    const { description, permission, timeout_seconds } = fields
    return { name, description, permission, timeout_seconds, guidance: body }
  }
  const { ended: endReason, stdout } = await run({
    file: path,
    args: ['--help'],
    cwd,
    timeoutMs,
    keepBytes: 1 << 16,
  })
  if (endReason === 'timeout') throw new UserError(`did not print its help within ${timeoutMs} ms`)
  const lines = stripControlCharacters(stdout.text).split('\n')
  return { name, description: lines.find((line) => line.trim() !== '') }
}

/**
 * Creates the tool of a program. Throws UserError for an invalid record, such as one without a description.
 */
export function createCliTool(
  path: string,
  described: Readonly<Record<string, unknown>>,
  seconds: number,
): CustomTool {
  const rules = { prefix: 'cli__', seconds, isWorkspaces: false }
  const { name, about, level, seconds: limit } = readToolRecord(described, rules)
  const tool = defineTool({
    name,
    about,
    level,
    input: z.object({
      args: field(z._default(z.array(z.string()), []), 'Words after the name of the program.'),
    }),
    example: { args: ['--help'] },
    clip: { chars: 30_000, lines: 1000, keep: 'ends' },
    available: canStartPrograms,
    run: ({ args }, ctx) =>
      runProgram({ name, command: { file: path, args }, seconds: limit, isWorkspaces: false }, ctx),
  })
  const { guidance } = described
  return { tool, guidance: typeof guidance === 'string' && guidance !== '' ? guidance : undefined }
}
