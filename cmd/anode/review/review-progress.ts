// The progress of a review on standard error, with a line when a subagent starts and when it ends.
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import { sanitizeText } from '../../../internal/render/text/terminal-filter.ts'
import type { CommandIo } from '../verb.ts'

export function openReviewProgress(
  io: CommandIo,
  isQuiet: boolean,
): { event(draft: EventDraft): void; note(text: string): void } {
  const titles = new Map<string, string>()
  const print = (line: string) => {
    if (!isQuiet) io.stderr.write(`${sanitizeText(line)}\n`)
  }
  return {
    event(draft) {
      if (draft.type === 'child.started') {
        titles.set(draft.payload.thread, draft.payload.title)
        print(`> ${draft.payload.title}  ${draft.payload.thread}`)
      }
      if (draft.type === 'child.ended') {
        const { end, turns, ms } = draft.payload.end
        const mark = end === 'done' ? '✔' : '✖'
        const title = titles.get(draft.payload.thread)
        const spent = `${countNoun(turns, 'turn')}  ${(ms / 1000).toFixed(1)} s`
        print(`${mark} ${title}  ${end}  ${spent}`)
      }
    },
    note: (text) => print(`note: ${text}`),
  }
}
