// From the pieces of calls that a provider sent to calls that may run, or that say why they may not.
import { readJson } from './json.ts'
import type { Call } from './model.ts'

/** A call as it came over the wire; `raw` are its arguments, all pieces joined. */
export interface Draft {
  id: string
  name: string
  raw: string
}

/**
 * The calls of one whole reply, in order. `cut` says that the reply was cut off. Parameterless calls may come with no
 * arguments at all, which means `{}`, except at the cut, where nobody can tell. A missing id is
 * made by `mint`; of two calls with one id only the first can run.
 */
export function settle(drafts: readonly Draft[], cut: boolean, mint: (index: number) => string): Call[] {
  const ids = new Set<string>()
  return drafts.map((draft, index) => {
    const id = draft.id !== '' && !ids.has(draft.id) ? draft.id : mint(index)
    const twin = draft.id !== '' && id !== draft.id
    ids.add(id)
    const atCut = cut && index === drafts.length - 1
    return twin
      ? refuse(draft, id, `another call of this reply has the id ${draft.id}`, 0)
      : read(draft, id, atCut)
  })
}

function read(draft: Draft, id: string, atCut: boolean): Call {
  const { name, raw } = draft
  const empty = raw.trim() === ''
  if (empty && !atCut) return { id, name, args: {} }
  const json = readJson(raw)
  if (json.ok) return { id, name, args: json.value }
  if (atCut)
    return refuse(
      draft,
      id,
      'the reply was cut off (output limit or filter) in the middle of this call',
      raw.length,
    )
  return { id, name, args: undefined, malformed: json.malformed }
}

function refuse(draft: Draft, id: string, error: string, position: number): Call {
  return { id, name: draft.name, args: undefined, malformed: { raw: draft.raw, error, position } }
}
