// The only way to run a tool: rejected calls, records, and their order.
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { FailureError } from '../../../internal/base/errors.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import type { Level } from '../../../internal/policy/level.ts'
import { createCallNumbering } from '../../../internal/tool/call-ids.ts'
import { createCatalog, type ListedTool } from '../../../internal/tool/catalog.ts'
import { toToolDescription as describeTool } from '../../../internal/tool/describe.ts'
import { field } from '../../../internal/tool/field.ts'
import { invoke } from '../../../internal/tool/invoke.ts'
import { defineTool, type Tool, type ToolInput } from '../../../internal/tool/tool.ts'
import { type CtxChanges, ctxWith } from '../../support/ctx.ts'

const made = (level: Level, over: Partial<Tool> = {}): Tool =>
  defineTool({
    name: 'probe',
    about: 'Says what it got.',
    level,
    input: z.object({ word: z._default(z.string(), 'x') }) as ToolInput,
    example: {},
    run: async (args) => ({ text: `ran ${JSON.stringify(args)}`, data: args }),
    ...over,
  })

function world(probe: Tool, over: CtxChanges = {}, hidden?: string, others: readonly ListedTool[] = []) {
  const drafts: EventDraft[] = []
  const entry: ListedTool = { ...describeTool(probe, 'native'), load: async () => probe, hidden }
  const kept = new Map<string, string>()
  const ctx = ctxWith(
    {},
    {
      log: {
        append: async (draft) => {
          drafts.push(draft)
        },
        keep: async (call, content) => {
          const text = String(content)
          kept.set(call, text)
          return 'hash'
        },
      },
      ...over,
      gate: { nextCall: createCallNumbering('call_'), ...over.gate },
    },
  )
  return {
    drafts,
    kept,
    go: (args: unknown = {}, name = 'probe') =>
      invoke(createCatalog([entry, ...others]), ctx, { name, args, modelCall: 'c1' }),
  }
}

it('hides the values of secret parameters in what it records, and hands them to the tool', async () => {
  const input = z.object({
    url: z.string(),
    headers: field(z.optional(z.record(z.string(), z.string())), 'Headers.', { secret: true }),
  })
  const { go, drafts } = world(made('confirm_execute', { input: input as ToolInput }), {
    gate: { ask: async () => ({ allow: true, why: 'yes' }) },
  })
  const { text } = await go({ url: 'u', headers: { a: 's3cret' } })
  expect(text).toContain('s3cret')
  const recorded = drafts.flatMap(({ payload }) => ('args' in payload ? [payload.args] : []))
  expect(recorded).toEqual(recorded.map(() => ({ url: 'u', headers: '(not recorded)' })))
  expect(recorded).toHaveLength(2)
})

/** How many lines and characters of output `limit` lets through, with a status below. */
const bounded = (text: string, limit: { chars: number; lines: number }) =>
  made('auto_read', {
    clip: { ...limit, keep: 'ends' },
    run: async () => ({ text, closing: '[exit 0]', data: null }),
  })

describe('the text below a result', () => {
  const limit = { chars: 300, lines: 20 }
  it.each([19, 20, 21, 22, 300])('%i lines: the status does not count as a line of output', async (lines) => {
    const text = Array.from({ length: lines }, (_, i) => `${i}`).join('\n')
    const shown = await world(bounded(text, { ...limit, chars: 10_000 })).go()
    if (lines <= limit.lines) expect(shown).toMatchObject({ text: `${text}\n[exit 0]` })
    else expect(shown.truncated?.lines).toBe(lines - limit.lines)
    expect(shown.truncated !== undefined).toBe(lines > limit.lines)
    expect(shown.text).toContain('\n[exit 0]')
    expect(shown.closing).toBeUndefined()
  })
  it.each([0, 1, 299, 300, 301, 5_000])('%i characters: nor are its characters', async (chars) => {
    const text = 'x'.repeat(chars)
    const { go, kept } = world(bounded(text, limit))
    const shown = await go()
    if (chars <= limit.chars) expect(shown.text).toBe(chars === 0 ? '[exit 0]' : `${text}\n[exit 0]`)
    else expect([...kept.values()]).toEqual([`${text}\n[exit 0]`])
    expect(shown.truncated !== undefined).toBe(chars > limit.chars)
  })
})

const types = (drafts: EventDraft[]) => drafts.map((draft) => draft.type)

describe('invoke', () => {
  it('runs what is allowed, with intent and result on record', async () => {
    const { go, drafts } = world(made('auto_read'))
    const result = await go({ word: 'y' })
    expect(result).toMatchObject({
      text: 'ran {"word":"y"}',
      data: { word: 'y' },
      call: 'call_1',
      tool: 'probe',
    })
    expect(types(drafts)).toEqual(['tool.call', 'tool.result'])
    expect(drafts[0]?.payload).toMatchObject({ effect: 'read', decision: 'allow', args: { word: 'y' } })
  })

  it('names the nearest tools for an unknown one', async () => {
    const { go, drafts } = world(made('auto_read'))
    expect((await go({}, 'prob')).failed).toMatchObject({
      code: 'unknown_tool',
      detail: { nearest: ['probe'] },
    })
    expect(types(drafts)).toEqual(['tool.result'])
  })

  it('tells why a hidden tool is hidden', async () => {
    const { go } = world(made('auto_read'), {}, 'it is night')
    expect((await go()).failed).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('it is night'),
    })
  })

  it('rejects arguments that do not fit', async () => {
    const { go } = world(made('auto_read'))
    expect((await go({ word: true, wort: 1 })).failed).toMatchObject({
      code: 'bad_args',
      detail: {
        issues: ['unknown parameter wort, did you mean word?', 'word must be a string, got a boolean'],
      },
    })
  })

  it('is rejected with a reason when unavailable', async () => {
    const { go } = world(made('auto_read', { available: () => 'the moon is down' }))
    expect((await go()).failed?.message).toContain('the moon is down')
  })

  it('asks, and without an answerer does not run', async () => {
    let ran = false
    const probe = made('confirm_write', {
      run: async () => {
        ran = true
        return { text: '', data: null }
      },
    })
    const { go, drafts } = world(probe)
    expect((await go()).failed?.code).toBe('denied')
    expect(ran).toBe(false)
    expect(types(drafts)).toEqual(['permission.asked', 'permission.decided', 'tool.result'])
  })

  it('runs if a user allows it, and stores an "always" as a rule', async () => {
    const rules: unknown[] = []
    const { go, drafts } = world(made('confirm_write'), {
      gate: {
        ask: async () => ({ allow: true, why: 'yes', always: true }),
        remember: async (rule) => {
          rules.push(rule)
        },
      },
    })
    expect((await go()).failed).toBeUndefined()
    expect(types(drafts)).toEqual(['permission.asked', 'permission.decided', 'tool.call', 'tool.result'])
    expect(rules).toMatchObject([{ tool: 'probe', action: 'allow' }])
  })

  it('does not ask again for what a stored answer allows', async () => {
    const { go, drafts } = world(made('confirm_write'), {
      gate: { answers: async () => [{ tool: 'probe', action: 'allow' }] },
    })
    expect((await go()).failed).toBeUndefined()
    expect(types(drafts)).toEqual(['tool.call', 'tool.result'])
  })

  it('a call that would fail anyway needs no approval', async () => {
    const { go, drafts } = world(
      made('confirm_write', {
        validate: async () => {
          throw new FailureError({ code: 'bad_patch', message: 'no' })
        },
      }),
    )
    expect((await go()).failed?.code).toBe('bad_patch')
    expect(types(drafts)).toEqual(['tool.result'])
  })

  it('lets a hook refuse', async () => {
    const { go } = world(made('auto_read'), {
      gate: { middleware: [{ before: async () => ({ deny: 'not today' }) }] },
    })
    expect((await go()).failed).toMatchObject({ code: 'denied', message: 'not today' })
  })

  it('turns a thrown Failure into its result and anything else into internal', async () => {
    const failing = (error: unknown) =>
      world(
        made('auto_read', {
          run: async () => {
            throw error
          },
        }),
      ).go()
    expect((await failing(new FailureError({ code: 'not_found', message: 'gone' }))).failed?.code).toBe(
      'not_found',
    )
    expect((await failing(Object.assign(new Error('full'), { code: 'ENOSPC' }))).failed).toMatchObject({
      code: 'io',
      detail: { errno: 'ENOSPC' },
    })
    expect((await failing(new TypeError('oops'))).failed?.code).toBe('internal')
  })

  it.each([
    ['offered', undefined, 'note: the whole output is kept; page it with result {"call_id": "call_1"}'],
    ['hidden', 'not among the tools of the profile', 'note: the rest is not shown; a narrower call shows it'],
    ['missing', null, 'note: the rest is not shown; a narrower call shows it'],
  ])('cuts long text, keeps the whole and says how to read it with result %s', async (_, hidden, note) => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i}`).join('\n')
    const pager = made('auto_read', { name: 'result' })
    const others =
      hidden === null ? [] : [{ ...describeTool(pager, 'native'), load: async () => pager, hidden }]
    const { go, kept } = world(
      made('auto_read', {
        clip: { chars: 10_000, lines: 10, keep: 'ends' },
        run: async () => ({ text, data: null }),
      }),
      {},
      undefined,
      others,
    )
    const result = await go()
    expect(result.truncated?.lines).toBe(490)
    expect(result.text.split('\n').at(-1)).toBe(note)
    expect(kept.get('call_1')).toBe(text)
  })

  it('never runs with a lower level than the arguments raise it to', async () => {
    const { go } = world(made('auto_read', { access: () => ({ level: 'confirm_execute' }) }))
    expect((await go()).failed?.code).toBe('denied')
    const lowered = world(made('confirm_execute', { access: () => ({ level: 'auto_read' }) }))
    expect((await lowered.go()).failed?.code).toBe('denied')
  })
})
