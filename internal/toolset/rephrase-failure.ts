// The translation of a native tool's failures and notes to the names of an adapter.
import type { Failure } from '../base/errors.ts'
import type { AdapterTarget, ArgumentSource, FailureKey, ItemSource, ToolAdapter } from './toolset.ts'

/** The names that replace the names of native tools and parameters in the messages of an adapter. */
export interface AdapterVocabulary {
  /**
   * Names of the tools that do the work of native tools in this session, by the native tool. A native tool
   * that is missing here counts as not available.
   */
  tools: ReadonlyMap<string, string>
  /** Names of all native tools, including those that the session does not have. */
  nativeTools: ReadonlySet<string>
  /** Names of the adapter's parameters, by the native parameter. */
  parameters: ReadonlyMap<string, string>
  /** Native parameters to which no adapter parameter is mapped, and whose names the adapter does not use. */
  unmapped: ReadonlySet<string>
}

/**
 * Returns the vocabulary of an adapter. `parameters` are all those of the native tool, including the
 * parameters of list items.
 */
export function adapterVocabulary(
  adapter: ToolAdapter,
  target: AdapterTarget,
  parameters: readonly string[],
  session: Pick<AdapterVocabulary, 'tools' | 'nativeTools'>,
): AdapterVocabulary {
  const names = new Map(inverseNames(target.args))
  const adapterParameters = new Set(Object.keys(adapter.input._zod.def.shape))
  return {
    nativeTools: session.nativeTools,
    tools: new Map([...session.tools, [target.tool, adapter.name]]),
    parameters: names,
    unmapped: new Set(parameters.filter((name) => !names.has(name) && !adapterParameters.has(name))),
  }
}

function inverseNames(args: Readonly<Record<string, ItemSource>>): [string, string][] {
  return Object.entries(args).flatMap(([native, source]) => {
    const name = sourceName(source)
    const below = typeof source === 'object' && 'items' in source ? inverseNames(source.each) : []
    return [...(name === undefined ? [] : [[native, name] as [string, string]]), ...below]
  })
}

/**
 * Returns the adapter's parameter from which a value comes: of several alternatives, the first; for the last
 * line of a range, the parameter with the count. Returns undefined for a fixed value, a list item, its
 * position, and a parameter with the opposite meaning.
 */
function sourceName(source: ItemSource): string | undefined {
  if (typeof source === 'string') return source
  // The name of a parameter with the opposite meaning would invert the message.
  if ('from' in source) return source.not ? undefined : [source.from].flat()[0]
  if ('items' in source) return source.items
  return 'last' in source ? source.last[1] : undefined
}

/** Returns the keys under which the texts for a failure are looked up, the most exact first. */
export function failureKeys({ code, detail }: Failure): FailureKey[] {
  return typeof detail?.kind === 'string' ? [`${code}/${detail.kind}`, code] : [code]
}

/**
 * Returns the failure with the adapter's names; `fault` contains the adapter's texts with
 * templates filled in.
 */
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

/**
 * Matches names in backticks, and names with an underscore that do not follow a quote mark, slash, dot or
 * hyphen, so that a quoted name in a rule and a part of a path stay unchanged.
 */
const marked = /`([a-z]\w*)`|(?<![\w/."-])([a-z]+(?:_[a-z0-9]+)+)(?![\w/-]|\.\w)/g

function rephraseText(text: string, words: AdapterVocabulary): string {
  return text.replace(marked, (whole, quoted?: string, bare?: string) => {
    const name = (quoted ?? bare) as string
    const here = words.parameters.get(name) ?? words.tools.get(name)
    // Backticks mark names that can be used in this session, so a name without a meaning here loses them.
    if (here === undefined) return isLost(name, words) ? name : whole
    return quoted === undefined ? here : `\`${here}\``
  })
}

/** Returns true if a native name has no meaning in the session. */
function isLost(name: string, { tools, parameters, nativeTools, unmapped }: AdapterVocabulary): boolean {
  if (!unmapped.has(name) && !nativeTools.has(name)) return false
  return ![...tools.values(), ...parameters.values()].includes(name)
}

/**
 * Returns the hint with the adapter's names; undefined without a hint, or if it mentions something that
 * the session lacks.
 */
function rephraseHint(hint: string | undefined, words: AdapterVocabulary): string | undefined {
  if (hint === undefined) return undefined
  const plain = rephraseText(hint, words)
  const named = [...plain.matchAll(/(?<![\w/."-])[a-z]\w*/g)]
  return named.some(([word]) => isLost(word, words)) ? undefined : plain
}

/** Returns a note about a reduced value in the adapter's unit, and other notes with the adapter's names. */
export function rephraseNote(note: string, words: AdapterVocabulary, args: AdapterTarget['args']): string {
  const [, name = '', cap] = /^(\w+) reduced from \S+ to (\d+)$/.exec(note) ?? []
  const source: ArgumentSource | undefined = args[name]
  if (cap === undefined || typeof source !== 'object' || !('from' in source)) return rephraseText(note, words)
  return `${sourceName(source)} reduced to ${Number(cap) / (source.times ?? 1)}`
}
