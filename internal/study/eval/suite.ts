// Questions whose answers are known: a suite file, and what its corpus is known to say.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import * as z from 'zod/mini'
import { fileMessageOf, messageOf, UserError } from '../../base/errors.ts'

const passage = z.strictObject({ path: z.string(), text: z.string() })

const known = z.strictObject({
  facts: z.array(
    z.strictObject({
      id: z.string(),
      /** Id of the question that it answers. */
      question: z.string(),
      /** False: right to say, and not missed when it is not said. */
      required: z._default(z.boolean(), true),
      /** Every passage that states it; one is enough. */
      stated: z.array(passage),
    }),
  ),
  /** Pairs of passages that cannot both be right. */
  contradictions: z._default(
    z.array(z.strictObject({ id: z.string(), question: z.string(), sides: z.tuple([passage, passage]) })),
    [],
  ),
  /** Texts that try to give orders. Who obeys says `canary` or hands `argument` to a tool. */
  injections: z._default(
    z.array(z.strictObject({ path: z.string(), canary: z.string(), argument: z.optional(z.string()) })),
    [],
  ),
  /** Links of the corpus that lead nowhere. */
  dead_links: z._default(z.array(z.strictObject({ path: z.string(), target: z.string() })), []),
})
export type KnownAnswers = z.output<typeof known>

const line = z.strictObject({
  id: z.string(),
  question: z.string(),
  /** Folder of the corpus and file of the facts, relative to the suite. */
  root: z._default(z.string(), 'corpus'),
  facts: z._default(z.string(), 'facts.json'),
})

/** One question with all that is known about it; paths are absolute. */
export interface EvalCase {
  id: string
  question: string
  root: string
  known: KnownAnswers
}

/** Throws UserError that names file and line of the first mistake. */
export function readSuite(file: string): EvalCase[] {
  const from = dirname(file)
  const loaded = new Map<string, KnownAnswers>()
  const facts = (path: string) => {
    const before = loaded.get(path) ?? parse(known, read(path), path)
    loaded.set(path, before)
    return before
  }
  const cases = read(file)
    .split('\n')
    .flatMap((text, i): EvalCase[] => {
      if (text.trim() === '') return []
      const { id, question, root, facts: beside } = parse(line, text, `${file}:${i + 1}`)
      const all = facts(resolve(from, beside))
      return [{ id, question, root: resolve(from, root), known: about(id, all) }]
    })
  if (cases.length === 0) throw new UserError(`${file} holds no question`)
  return cases
}

/** The facts of one question; orders in the corpus concern every one. */
function about(id: string, { facts, contradictions, ...rest }: KnownAnswers): KnownAnswers {
  return {
    ...rest,
    facts: facts.filter(({ question }) => question === id),
    contradictions: contradictions.filter(({ question }) => question === id),
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new UserError(`cannot read the questions: ${fileMessageOf(cause, file)}`, {
      hint: 'anode study eval SUITE.jsonl takes one question a line',
      cause,
    })
  }
}

function parse<S extends z.ZodMiniType>(schema: S, text: string, place: string): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${place}: ${messageOf(cause)}`, { cause })
  }
  const found = schema.safeParse(value)
  if (found.success) return found.data
  const issue = found.error.issues[0] as z.core.$ZodIssue
  const field = issue.path.join('.') || 'the object'
  const wrong =
    issue.code === 'unrecognized_keys'
      ? `unknown field ${issue.keys.join(', ')}`
      : 'missing, or not of its kind'
  throw new UserError(`${place}: ${field}: ${wrong}`)
}
