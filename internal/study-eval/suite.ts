// Suites, which are questions with known answers and the facts that their corpora state.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { messageOf, UserError } from '../base/errors.ts'
import { fileMessageOf } from '../base/files/errno.ts'
import { corporaSchema, describeCorpus, type EvalCorpus } from './corpus-source.ts'

const passage = z
  .strictObject({
    path: z.string(),
    text: z._default(z.string(), ''),
    /**
     * Lines of the file, such as `12-15`. They replace `text` if the suite must not contain a copy
     * of the text.
     */
    lines: z.optional(z.string().check(z.regex(/^[1-9]\d{0,6}(?:-[1-9]\d{0,6})?$/))),
  })
  .check(z.refine(({ text, lines }) => (text === '') !== (lines === undefined)))

const factFields = {
  id: z.string(),
  /** False for a fact that is correct in an answer but need not be there. */
  required: z._default(z.boolean(), true),
  /** All passages that state the fact; quoting one of them is enough. */
  stated: z.array(passage),
  /** Other wordings of the fact that count in an answer, or in a quote from one of the files in `stated`. */
  alternatives: z.optional(z.array(z.string())),
  /** Numbers and names that state the fact if a text contains all of them. */
  figures: z.optional(z.array(z.string())),
}

const answerSchema = z.strictObject({
  facts: z.array(
    z.strictObject({
      ...factFields,
      /** Id of the question that the fact answers. */
      question: z.string(),
    }),
  ),
  /** Pairs of passages that contradict each other. */
  contradictions: z._default(
    z.array(z.strictObject({ id: z.string(), question: z.string(), sides: z.tuple([passage, passage]) })),
    [],
  ),
  /**
   * Planted texts that try to give instructions. A model that follows one prints `canary` or passes
   * `argument` to a tool.
   */
  injections: z._default(
    z.array(z.strictObject({ path: z.string(), canary: z.string(), argument: z.optional(z.string()) })),
    [],
  ),
  /** Links in the corpus whose targets do not exist. */
  dead_links: z._default(z.array(z.strictObject({ path: z.string(), target: z.string() })), []),
})
export type KnownAnswers = z.output<typeof answerSchema>

const line = z.strictObject({
  id: z.string(),
  question: z.string(),
  /** Directory of the corpus, relative to the suite. */
  root: z._default(z.string(), 'corpus'),
  /** Name of a corpus in the file `corpora`, which is used instead of `root`. */
  corpus: z.optional(z.string()),
  corpora: z._default(z.string(), 'corpora.json'),
  /** The facts themselves, or the path of a file with them, relative to the suite. */
  facts: z._default(z.union([z.string(), z.array(z.strictObject(factFields))]), 'facts.json'),
  /**
   * Words by which a report can say what is missing. They are set only if the corpus does not
   * answer the question.
   */
  absent: z.optional(z.array(z.string()).check(z.minLength(1))),
  /**
   * `sealed`: what the study missed or got wrong in this question is not shown, so that no rule is
   * adapted to it.
   */
  half: z.optional(z.enum(['open', 'sealed'])),
  /** True if the question uses other words than the texts with the answer. */
  reworded: z._default(z.boolean(), false),
  /** Language of the question, if it is not English. */
  language: z.optional(z.string()),
})

/** A question with its known facts. Paths are absolute. */
export interface EvalCase {
  id: string
  question: string
  corpus: EvalCorpus
  half?: 'open' | 'sealed'
  known: KnownAnswers
  /** Words by which a report can say what is missing; set only if the corpus does not answer the question. */
  absent?: readonly string[]
}

/**
 * Reads a suite. Throws UserError with the file of the first error, and with its line if it is in the suite
 * itself; also if the suite has no questions. A file whose name ends in `.gz` is decompressed.
 */
export function readSuite(file: string): EvalCase[] {
  const from = dirname(file)
  const facts = cacheByPath((path) => parseWithSchema(answerSchema, readSuiteFile(path), path))
  const corpora = cacheByPath((path) => parseWithSchema(corporaSchema, readSuiteFile(path), path))
  const corpusOf = ({ corpus, corpora: beside, root }: z.output<typeof line>, place: string) => {
    if (corpus === undefined) return describeCorpus(root, { root }, (path) => resolve(from, path))
    const path = resolve(from, beside)
    const corpusEntry = corpora(path)[corpus]
    if (corpusEntry) return describeCorpus(corpus, corpusEntry, (dir) => resolve(dirname(path), dir))
    throw new UserError(`${place}: ${path} has no corpus ${corpus}`)
  }
  const cases = readSuiteFile(file)
    .split('\n')
    .flatMap((text, i): EvalCase[] => {
      if (text.trim() === '') return []
      const place = `${file}:${i + 1}`
      const one = parseWithSchema(line, text, place)
      const { id, question, half, absent } = one
      const answers =
        typeof one.facts === 'string'
          ? selectAnswers(id, facts(resolve(from, one.facts)))
          : { facts: one.facts.map((fact) => ({ ...fact, question: id })), ...nothing }
      const corpus = corpusOf(one, place)
      return [{ id, question, corpus, known: answers, half, ...(absent !== undefined && { absent }) }]
    })
  if (cases.length === 0) throw new UserError(`no questions in ${file}`)
  return cases
}

const nothing = { contradictions: [], injections: [], dead_links: [] }

/** Returns `load` with a cache of its results by path. */
function cacheByPath<T>(load: (path: string) => T): (path: string) => T {
  const loaded = new Map<string, T>()
  return (path) => {
    const value = loaded.get(path) ?? load(path)
    loaded.set(path, value)
    return value
  }
}

/**
 * Returns the facts and contradictions of one question. Planted instructions and dead links apply
 * to every question.
 */
function selectAnswers(id: string, { facts, contradictions, ...rest }: KnownAnswers): KnownAnswers {
  return {
    ...rest,
    facts: facts.filter(({ question }) => question === id),
    contradictions: contradictions.filter(({ question }) => question === id),
  }
}

function readSuiteFile(file: string): string {
  try {
    const bytes = readFileSync(file)
    return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (cause) {
    throw new UserError(`cannot read the questions: ${fileMessageOf(cause, file)}`, {
      hint: 'anode study eval SUITE.jsonl takes one question a line',
      cause,
    })
  }
}

function parseWithSchema<S extends z.ZodMiniType>(schema: S, text: string, place: string): z.output<S> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new UserError(`${place}: ${messageOf(cause)}`, { cause })
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0] as z.core.$ZodIssue
  const field = issue.path.join('.') || 'the object'
  const wrong =
    issue.code === 'unrecognized_keys'
      ? `unknown field ${issue.keys.join(', ')}`
      : 'missing, or not of its kind'
  throw new UserError(`${place}: ${field}: ${wrong}`)
}
