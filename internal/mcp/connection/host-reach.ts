// Permanent record of whether a server's configured host was private or public on first use.
import { isIP } from 'node:net'
import { type ResolveHost, resolveBySystem } from '../../net/host-judgement.ts'
import { isLocalName, refuseAddress } from '../../net/public-address.ts'
import { grantApproval, readApproval } from '../../trust/approval.ts'

export interface HostReach {
  /**
   * Returns whether connections to a configured host may lead to this machine or the local network. A
   * host that was public at first use stays public, because an attacker could later make its name lead
   * to this machine.
   */
  isPrivate(host: string): Promise<boolean>
}

/**
 * Opens the record of the server `key`. A host that cannot be resolved yet counts as public until a later
 * call can record it.
 */
export function openReach(dataDir: string, key: string, resolve: ResolveHost = resolveBySystem): HostReach {
  const record = `${key}-host`
  return {
    async isPrivate(host) {
      if (isLocalName(host)) return true
      if (isIP(host)) return refuseAddress(host) !== undefined
      const approval = readApproval(dataDir, record)
      if (approval?.launch === host) return approval.parts.reach === 'private'
      const addresses = await resolve(host).catch(() => [])
      if (addresses.length === 0) return false
      // a name with private and public addresses counts as an attack
      const isPrivate = addresses.every((address) => refuseAddress(address) !== undefined)
      const parts = { reach: isPrivate ? 'private' : 'public' }
      await grantApproval(dataDir, record, { launch: host, parts })
      return isPrivate
    },
  }
}
