// The page of threads before a session exists, for `anode --resume` without the name of a thread.
import type { SessionService } from '../../session/client.ts'
import { lookOf } from '../inline/inline-state.ts'
import { readKeyPress } from '../input/read-key-press.ts'
import type { SessionIo } from '../screen-options.ts'
import { openLiveScreen } from '../terminal/live-screen.ts'
import type { ScreenTheme } from '../view/themes.ts'
import { createThreadPage } from './thread-page.ts'

/**
 * Resolves to the picked thread; undefined if the user picked none, the terminal is gone
 * or `io.signal` aborts.
 */
export function pickThreadOnScreen(
  service: SessionService,
  io: SessionIo,
  theme: ScreenTheme | undefined,
): Promise<{ thread: string; isCopy: boolean } | undefined> {
  return new Promise((resolve) => {
    const end = (picked: { thread: string; isCopy: boolean } | undefined, isGone = false) => {
      page.close?.()
      io.signal.removeEventListener('abort', leave)
      // The promise resolves only after the terminal is restored.
      void Promise.resolve(isGone ? screen.abandon() : screen.close()).then(() => resolve(picked))
    }
    const leave = () => end(undefined)
    let picked: { thread: string; isCopy: boolean } | undefined
    const page = createThreadPage({
      service,
      changed: () => screen.changed(),
      pick(thread, isCopy) {
        picked = { thread, isCopy }
      },
    })
    let isOver = false
    const screen = openLiveScreen(io, {
      content(size) {
        if (isOver) return { finished: [], rows: [] }
        const look = lookOf(io, size.columns, theme)
        return { isPage: true, finished: [], rows: page.draw(look, size.rows, Date.now()) }
      },
      input(event) {
        if (event.kind !== 'key' && event.kind !== 'paste') return
        isOver = !page.press(readKeyPress(event))
        if (isOver) end(picked)
        else screen.changed(true)
      },
      gone: () => end(undefined, true),
    })
    io.signal.addEventListener('abort', leave, { once: true })
    if (io.signal.aborted) leave()
    else screen.changed(true)
  })
}
