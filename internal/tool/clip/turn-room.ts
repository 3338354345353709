// The room that the results of one model response's calls share, in characters.

/** The room for all results of one turn together. */
export interface TurnRoom {
  /** Reserves room for one more result and returns the reserved room, in characters. */
  reserve(): number
  /** Releases the room that a result did not use. */
  release(reserved: number, used: number): void
}

/** Smallest room of a result in a turn with many calls, in characters. */
const minShare = 1_500

/**
 * Returns the room of a turn, which shares `total` characters among the results of `calls` calls. Each result
 * gets an equal part of at least 1,500 characters, and the room that earlier results did not use.
 */
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
