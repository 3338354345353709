// The model of a session as its clients see it: known by name at once, with its window once that is known.
import { isLateModel } from '../../model/choice/late-model.ts'
import type { SessionView } from '../../session/view/session-view.ts'
import { closeView, takeSnapshot } from '../../session/view/view-snapshot.ts'
import type { SessionState } from './session-state.ts'

/** Settings come from this process, the rest from what is on record. */
export function showAgent({ view, agent }: SessionState): SessionView {
  const { profile, mode } = agent
  return withModel({ ...closeView(view), profile: profile.name, mode }, agent.model, isLateModel(agent.model))
}

function withModel(
  view: SessionView,
  { id, kind, window }: SessionState['agent']['model'],
  isOpening: boolean,
): SessionView {
  const { window: _, ...context } = view.context
  return {
    ...view,
    model: { id, kind: kind === 'rules' ? 'rules' : 'language', ...(isOpening && { isOpening }) },
    context: isOpening ? context : { ...context, window },
  }
}

/** Tells every client what the model's server says of it, once it has. */
export function followModel(state: SessionState): void {
  const { model } = state.agent
  if (!isLateModel(model)) return
  void model.opened.then(() => {
    if (state.isClosed || state.agent.model !== model) return
    state.view = withModel(state.view, model, false)
    state.feed.publish({ type: 'session.snapshot', payload: takeSnapshot(state.view) })
  })
}

/** Tells every client what is being started. */
export function showStarting(state: SessionState, starting: readonly string[]): void {
  if (state.isClosed) return
  state.view = { ...state.view, starting }
  state.feed.publish({ type: 'session.snapshot', payload: takeSnapshot(state.view) })
}

/** A run begins with a model whose window is known. */
export async function awaitModel({ agent: { model } }: SessionState): Promise<void> {
  if (isLateModel(model)) await model.opened
}
