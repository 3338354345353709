// All of what a waiting call would do on a page of its own; who has read it there may answer in the box.
import type { InlineState } from '../inline/inline-state.ts'
import { listLazily } from '../terminal/lazy-list.ts'
import { eachApprovalLine } from '../view/approval-box.ts'
import { openPage } from './live-page.ts'
import { createFixedPage } from './text-page.ts'

/** Nothing where no approval is open. */
export function openApprovalPage(state: InlineState): void {
  const {
    overlays: { dialog },
  } = state
  if (dialog?.kind !== 'approval') return
  const { asked } = dialog.state
  const markRead = () => {
    // what is known better since has to be seen again
    if (dialog.state.asked !== asked) return
    const { pager } = dialog.state
    dialog.state = { ...dialog.state, pager: { ...pager, seen: Number.POSITIVE_INFINITY } }
  }
  openPage(
    state,
    createFixedPage((look) => listLazily(eachApprovalLine(asked, look)), markRead),
  )
}
