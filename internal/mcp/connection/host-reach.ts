// Where a server's own host lay when it was met first, this machine and network or the public internet, kept
// for good.
import { isIP } from 'node:net'
import { type ResolveHost, resolveBySystem } from '../../net/host-judgement.ts'
import { isLocalName, refuseAddress } from '../../net/public-address.ts'
import { grantApproval, readApproval } from '../../trust/approval.ts'

export interface HostReach {
  /**
   * Whether connections to a host that a person has configured may lead to this machine or network. One that
   * was public at first stays so: a name that somebody else can point elsewhere later is judged each time.
   */
  isPrivate(host: string): Promise<boolean>
}

/** `key` names the server; a host that cannot be resolved yet is judged like any other and met again. */
export function openReach(dataDir: string, key: string, resolve: ResolveHost = resolveBySystem): HostReach {
  const record = `${key}-host`
  return {
    async isPrivate(host) {
      if (isLocalName(host)) return true
      if (isIP(host)) return refuseAddress(host) !== undefined
      const known = readApproval(dataDir, record)
      if (known?.launch === host) return known.parts.reach === 'private'
      const addresses = await resolve(host).catch(() => [])
      if (addresses.length === 0) return false
      // a name with mixed answers is a trick
      const isPrivate = addresses.every((address) => refuseAddress(address) !== undefined)
      const parts = { reach: isPrivate ? 'private' : 'public' }
      await grantApproval(dataDir, record, { launch: host, parts })
      return isPrivate
    },
  }
}
