// What the tool results of a conversation have shown so far.

import { findTerms, foldText } from '../../text-analysis/terms.ts'
import type { ModelMessage, ModelToolCall, ResultEvidence } from '../model.ts'
import { contentText } from '../tokens.ts'
import type { FilePassage } from './claims.ts'
import type { TermHit } from './file-ranking.ts'
import { isJson, textAt } from './request-input.ts'

export interface ShownResults {
  /** Names of the tools that were called, whatever came of it. */
  called: ReadonlySet<string>
  /** Number of files the listing knows of. */
  files: number
  hits: TermHit[]
  passages: (FilePassage & { evidence?: readonly ResultEvidence[] })[]
  /** Patterns whose search did not get to its end, and never did when it was made again. */
  unsearched: ReadonlySet<string>
}

type Result = ModelMessage & { role: 'tool' }

/**
 * Reads the messages from index `from` on. Failed results count as called and show nothing. A thread that was
 * taken up again has no structured results any more: then the text says the same.
 */
export function readToolResults(
  messages: readonly ModelMessage[],
  from: number,
  terms: readonly string[],
): ShownResults {
  const asked = new Map<string, ModelToolCall>()
  const seen = { files: 0, hits: [] as TermHit[], passages: [] as ShownResults['passages'] }
  const unsearched = new Set<string>()
  const searched = new Set<string>()
  const known = new Set<string>()
  const called = new Set<string>()
  for (const message of messages.slice(from)) {
    if (message.role === 'assistant') {
      for (const call of message.calls ?? []) {
        called.add(call.name)
        asked.set(call.id, call)
      }
    }
    if (message.role !== 'tool') continue
    const args = asked.get(message.callId)?.args
    const pattern = message.name === 'grep' ? textAt(args, 'pattern') : undefined
    if (pattern !== undefined) (message.failed ? unsearched : searched).add(pattern)
    if (message.failed) continue
    if (message.name === 'glob') seen.files = Math.max(seen.files, filesOf(message))
    if (message.name === 'read') seen.passages.push(...passagesOf(message, textAt(args, 'path')))
    if (message.name !== 'grep' && message.name !== 'finder') continue
    for (const hit of hitsOf(message, textAt(args, 'pattern'), terms)) {
      const key = `${hit.path}\n${hit.line}\n${hit.term}`
      if (!known.has(key)) seen.hits.push(hit)
      known.add(key)
    }
  }
  for (const pattern of searched) unsearched.delete(pattern)
  return { ...seen, called, unsearched }
}

/** How many files `glob` knows of, also those beyond its limit. */
function filesOf(message: Result): number {
  const { data } = message
  if (isJson(data) && typeof data.total === 'number') return data.total
  return contentText(message.content)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('[')).length
}

/** The terms on the lines a search found. A line may be cut before the match: then the pattern counts. */
function hitsOf(message: Result, pattern: string | undefined, terms: readonly string[]): TermHit[] {
  return linesOf(message).flatMap(({ path, line, text }) => {
    const found = new Set(findTerms(text, terms))
    const cut = pattern !== undefined && !foldText(text).includes(pattern)
    if (message.name === 'grep' && cut && terms.includes(pattern)) found.add(pattern)
    return [...found].map((term) => ({ path, line, term }))
  })
}

interface Line {
  path: string
  line: number
  text: string
}

/** `matches[]` of grep, `results[]` of finder, or `path:line:text` as both print them. */
function linesOf(message: Result): Line[] {
  const { data } = message
  if (isJson(data) && Array.isArray(data.matches)) {
    return data.matches
      .filter(isJson)
      .flatMap(({ path, line, text }) =>
        typeof path === 'string' && typeof line === 'number'
          ? [{ path, line, text: typeof text === 'string' ? text : '' }]
          : [],
      )
  }
  return contentText(message.content)
    .split('\n')
    .flatMap((text) => {
      const match = /^(.+?):(\d+):(.*)$/.exec(text)
      return match ? [{ path: match[1] as string, line: Number(match[2]), text: match[3] as string }] : []
    })
}

/** Numbered lines as `read` prints them: number, tab, text. */
function passagesOf(message: Result, asked: string | undefined): ShownResults['passages'] {
  const path = textAt(message.data, 'path') ?? asked
  if (path === undefined) return []
  const evidence = message.evidence === undefined ? {} : { evidence: message.evidence }
  const out: ShownResults['passages'] = []
  let lines: string[] = []
  let next = 0
  for (const text of contentText(message.content).split('\n')) {
    const match = /^\s*(\d+)\t(.*)$/.exec(text)
    if (!match) continue
    const line = Number(match[1])
    if (lines.length === 0 || line !== next) {
      lines = []
      out.push({ path, line, lines, ...evidence })
    }
    lines.push(match[2] as string)
    next = line + 1
  }
  return out
}
