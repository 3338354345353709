// The page with a complete approval request. Once a user has read it to the end, the dialog counts as read
// too, so that the user can allow the call.
import type { InlineState } from '../inline/inline-state.ts'
import { listLazily } from '../terminal/lazy-list.ts'
import { eachApprovalLine } from '../view/approval-box.ts'
import { openPage } from './live-page.ts'
import { createFixedPage } from './text-page.ts'

/** Opens the page if the dialog of an approval is open. */
export function openApprovalPage(state: InlineState): void {
  const {
    overlays: { dialog },
  } = state
  if (dialog?.kind !== 'approval') return
  const { asked: permission } = dialog.state
  const markRead = () => {
    // If newer facts about the call arrived since, the user must see those as well.
    if (dialog.state.asked !== permission) return
    const { pager } = dialog.state
    dialog.state = { ...dialog.state, pager: { ...pager, seen: Number.POSITIVE_INFINITY } }
  }
  openPage(
    state,
    createFixedPage((look) => listLazily(eachApprovalLine(permission, look)), markRead),
  )
}
