// What holds for the next conversation on a screen.
import { expect, it } from 'vitest'
import type { SessionSource, SessionWishes } from '../../../../internal/session/client.ts'
import { rememberWish, wishesFor } from '../../../../internal/tui/input/next-wishes.ts'

const modes = ['plan', 'ask', 'edits', 'auto', 'unrestricted'] as const
const begun = [undefined, 'ask', 'edits', 'auto', 'unrestricted'] as const
const sources: SessionSource[] = [
  { kind: 'new' },
  { kind: 'resume', thread: 't' },
  { kind: 'fork', thread: 't', at: 3 },
]

it('never widens a mode: what it is now holds, or what the screen was begun with where that asks more', () => {
  const width = (mode: string) => modes.indexOf(mode as (typeof modes)[number])
  for (const source of sources)
    for (const mode of modes)
      for (const first of begun) {
        const next = wishesFor(source, first === undefined ? {} : { mode: first }, { mode }).mode
        expect(modes, `${source.kind} ${mode} ${first}`).toContain(next)
        if (mode === 'plan') expect(next).toBe('ask')
        else expect(width(next ?? '')).toBeLessThanOrEqual(width(mode))
        if (mode !== 'plan' && mode !== 'unrestricted') expect(next).toBe(mode)
        if (next === 'unrestricted') expect(first).toBe('unrestricted')
      }
})

it('keeps profile, model and tools for a new thread; others have their own', () => {
  const flags: SessionWishes = { profile: 'craft', model: 'script:a', toolset: { name: 'ah' } }
  const changed = rememberWish(rememberWish(flags, { type: 'set_model', model: 'script:b' }), {
    ...{ type: 'set_profile', name: 'find' },
  })
  expect(wishesFor({ kind: 'new' }, changed, { mode: 'ask' })).toEqual({
    ...{ profile: 'find', model: 'script:b', toolset: { name: 'ah' }, mode: 'ask' },
  })
  expect(wishesFor({ kind: 'resume', thread: 't' }, changed, { mode: 'ask' })).toEqual({ mode: 'ask' })
  expect(rememberWish(flags, { type: 'interrupt' })).toBe(flags)
})
