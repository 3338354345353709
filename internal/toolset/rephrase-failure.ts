// Rephrases failures and notes of a native tool in the names of a face.
import type { Failure } from '../base/errors.ts'
import type { AdapterTarget, ArgumentSource, FailureKey, ItemSource, ToolAdapter } from './toolset.ts'

/** How names of native tools and parameters read in the session. */
export interface AdapterVocabulary {
  /** Native tool to the name that serves it here; absent: nothing does. */
  tools: ReadonlyMap<string, string>
  /** Every native tool there is. */
  nativeTools: ReadonlySet<string>
  /** Native parameter to that of the face. */
  parameters: ReadonlyMap<string, string>
  /** Native parameters that nothing of the face is mapped onto. */
  unmapped: ReadonlySet<string>
}

/** `parameters` are those of the native tool, of items too. */
export function adapterVocabulary(
  adapter: ToolAdapter,
  target: AdapterTarget,
  parameters: readonly string[],
  session: Pick<AdapterVocabulary, 'tools' | 'nativeTools'>,
): AdapterVocabulary {
  const names = new Map(inverseNames(target.args))
  const own = new Set(Object.keys(adapter.input._zod.def.shape))
  return {
    nativeTools: session.nativeTools,
    tools: new Map([...session.tools, [target.tool, adapter.name]]),
    parameters: names,
    unmapped: new Set(parameters.filter((name) => !names.has(name) && !own.has(name))),
  }
}

function inverseNames(args: Readonly<Record<string, ItemSource>>): [string, string][] {
  return Object.entries(args).flatMap(([native, source]) => {
    const name = sourceName(source)
    const below = typeof source === 'object' && 'items' in source ? inverseNames(source.each) : []
    return [...(name === undefined ? [] : [[native, name] as [string, string]]), ...below]
  })
}

/** The parameter that a value comes from. */
function sourceName(source: ItemSource): string | undefined {
  if (typeof source === 'string') return source
  // a name for the opposite would turn what is said about it round
  if ('from' in source) return source.not ? undefined : [source.from].flat()[0]
  if ('items' in source) return source.items
  return 'last' in source ? source.last[1] : undefined
}

/** The keys by which a failure is looked up, the most exact first. */
export function failureKeys({ code, detail }: Failure): FailureKey[] {
  return typeof detail?.kind === 'string' ? [`${code}/${detail.kind}`, code] : [code]
}

/** `fault` are the words that the face has for it, templates filled in. */
export function rephraseFailure(
  failure: Failure,
  words: AdapterVocabulary,
  fault: { message?: string; hint?: string } | undefined,
): Failure {
  const { hint: _, ...rest } = failure
  const hint = fault?.hint ?? rephraseHint(failure.hint, words)
  const message = fault?.message ?? rephraseText(failure.message, words)
  return { ...rest, message, hint }
}

/** Names in backticks, and those with an underscore; what stands in quotes, as in a rule, stays. */
const marked = /`([a-z]\w*)`|(?<![\w/."-])([a-z]+(?:_[a-z0-9]+)+)(?![\w/-]|\.\w)/g

function rephraseText(text: string, words: AdapterVocabulary): string {
  return text.replace(marked, (whole, quoted?: string, bare?: string) => {
    const name = (quoted ?? bare) as string
    const here = words.parameters.get(name) ?? words.tools.get(name)
    // backticks are for what can be given or called here
    if (here === undefined) return isLost(name, words) ? name : whole
    return quoted === undefined ? here : `\`${here}\``
  })
}

/** Whether a native name means nothing in the session. */
function isLost(name: string, { tools, parameters, nativeTools, unmapped }: AdapterVocabulary): boolean {
  if (!unmapped.has(name) && !nativeTools.has(name)) return false
  return ![...tools.values(), ...parameters.values()].includes(name)
}

/** A hint that would lead to what the session lacks is none. */
function rephraseHint(hint: string | undefined, words: AdapterVocabulary): string | undefined {
  if (hint === undefined) return undefined
  const plain = rephraseText(hint, words)
  const named = [...plain.matchAll(/(?<![\w/."-])[a-z]\w*/g)]
  return named.some(([word]) => isLost(word, words)) ? undefined : plain
}

/** A note on a value that was reduced, in the unit of the face; other notes with its names. */
export function rephraseNote(note: string, words: AdapterVocabulary, args: AdapterTarget['args']): string {
  const [, name = '', cap] = /^(\w+) reduced from \S+ to (\d+)$/.exec(note) ?? []
  const source: ArgumentSource | undefined = args[name]
  if (cap === undefined || typeof source !== 'object' || !('from' in source)) return rephraseText(note, words)
  return `${sourceName(source)} reduced to ${Number(cap) / (source.times ?? 1)}`
}
