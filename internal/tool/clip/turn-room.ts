// The room that the results of one turn share, in characters.

/** The room for the results of one turn together. */
export interface TurnRoom {
  /** Sets room apart for one more result, in characters. */
  reserve(): number
  /** Gives back what a result has left of its room. */
  release(reserved: number, used: number): void
}

/** A result of a turn with many calls has at least this. */
const minShare = 1_500

/** Shares `total` characters among so many results: each has its part, and what short ones leave besides. */
export function shareRoom(total: number, calls: number): TurnRoom {
  const share = Math.max(minShare, Math.floor(total / calls))
  let left = total
  let waiting = calls
  return {
    reserve() {
      waiting--
      const room = Math.max(share, left - waiting * share)
      left -= room
      return room
    },
    release(reserved, used) {
      left += Math.max(0, reserved - used)
    },
  }
}
