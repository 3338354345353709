// A line answered part by part: it runs when all of it may, and keeps the rules of exactly the parts that were said yes to.
import { expect, it } from 'vitest'
import type { ApprovalChoice } from '../../../../internal/tui/approval/approval-choice.ts'
import type { PromptAnswer } from '../../../../internal/tui/approval/approval-prompt.ts'
import { textLook } from '../../../../internal/tui/approval/argument-lines.ts'
import { askParts, asksForParts, offersOfPart } from '../../../../internal/tui/approval/part-answers.ts'
import { requestOf } from '../../../support/approval.ts'
import { choice, rng } from '../../../support/rng.ts'

const look = textLook(true)
const rule = (command: string) => ({ tool: 'bash', action: 'allow' as const, command })

/** Returns a command of these parts. Those that need approval have a rule if `kept` contains them. */
function line(parts: readonly { name: string; action: 'allow' | 'ask' | 'deny' }[], kept: readonly string[]) {
  return requestOf({
    args: { command: parts.map(({ name }) => name).join(' && ') },
    parts: parts.map((part) => ({ ...part, why: 'no rule allows it' })),
    always: kept.map((name) => ({ rule: rule(name), covers: `everything like ${name}`, parts: [name] })),
  })
}

it('is offered where several parts ask', () => {
  expect(asksForParts(requestOf())).toBe(false)
  expect(asksForParts(line([{ name: 'a', action: 'ask' }], []))).toBe(false)
  expect(
    asksForParts(
      line(
        [
          { name: 'a', action: 'ask' },
          { name: 'b', action: 'allow' },
        ],
        [],
      ),
    ),
  ).toBe(false)
  expect(
    asksForParts(
      line(
        [
          { name: 'a', action: 'ask' },
          { name: 'b', action: 'ask' },
        ],
        [],
      ),
    ),
  ).toBe(true)
})

it('answers of every kind, in 400 lines: what runs was allowed, what is kept was shown and said yes to', async () => {
  const next = rng(17)
  for (let round = 0; round < 400; round++) {
    const parts = Array.from({ length: 2 + Math.floor(next() * 5) }, (_, at) => ({
      name: `cmd${at} --x`,
      action: choice(next, ['allow', 'ask', 'ask'] as const),
    }))
    const request = line(
      parts,
      parts.flatMap(({ name, action }) => (action === 'ask' && next() < 0.5 ? [name] : [])),
    )
    const given: [string, PromptAnswer][] = []
    const seen: string[] = []
    const reply = await askParts(request, look, async (lines, ...choices: ApprovalChoice[]) => {
      const text = Array.from(lines, (one) => one.text).join('\n')
      const name = parts[Number(/part (\d+) of/.exec(text)?.[1]) - 1]?.name as string
      // the whole line is on the screen, and what would be stored where something would be
      expect(text).toContain(String(request.args.command))
      expect(text.includes(`everything like ${name}`)).toBe(choices.includes('always'))
      const answer = choice<PromptAnswer>(next, [
        'once',
        'deny',
        'once',
        ...choices,
        ...(next() < 0.05 ? ['gone' as const] : []),
      ])
      given.push([name, answer])
      seen.push(name)
      return answer
    })
    if (reply === 'gone' || reply === 'stop') {
      expect(given.at(-1)?.[1]).toBe(reply)
      continue
    }
    const asking = parts.filter(({ action }) => action === 'ask').map(({ name }) => name)
    expect(seen).toEqual(asking)
    expect(reply.allow).toBe(given.every(([, answer]) => answer !== 'deny'))
    const kept = given.flatMap(([name, answer]) => (answer === 'always' ? [name] : []))
    const stored = (Array.isArray(reply.always) ? reply.always : []).map((at) => request.always?.[at]?.parts)
    expect(stored).toEqual(kept.map((name) => [name]))
    for (const [name, answer] of given) if (answer === 'deny') expect(reply.why).toContain(name)
  }
})

it('an offer for the whole line answers for none of its parts', () => {
  const request = requestOf({
    parts: [{ name: 'a', action: 'ask', why: '' }],
    always: [{ rule: rule('=a && b'), covers: 'only this very line' }],
  })
  expect(offersOfPart(request, 0)).toEqual([])
})
