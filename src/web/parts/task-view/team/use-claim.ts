import { useEffect, useState } from 'react'
import type { Claim } from '../../../../contract/inbox.ts'
import { limits } from '../../../../contract/limits.ts'
import { useWorkspace } from '../../../lib/workspace.ts'

// A task is claimed only after this time on screen, so that stepping through the list claims none.
const settleMilliseconds = 400
// Claims are renewed twice per lifetime, so that a late renewal is harmless.
const renewMilliseconds = (limits.claimSeconds * 1_000) / 2

/** Claims the task while it is open and visible, so that colleagues see who works on it. */
export function useClaim(taskId: string, isOpen: boolean): Claim | undefined {
  const { api } = useWorkspace()
  const [claim, setClaim] = useState<Claim>()

  useEffect(() => {
    if (!isOpen) return undefined
    let claimed = false
    const renew = () => {
      if (document.visibilityState !== 'visible') return
      claimed = true
      // Claims are only hints, so errors are ignored.
      api.claimTask(taskId).then(
        (response) => setClaim(response.claim),
        () => undefined,
      )
    }
    const release = () => {
      if (claimed) api.releaseTask(taskId).catch(() => undefined)
      claimed = false
    }
    const firstClaim = setTimeout(renew, settleMilliseconds)
    const renewal = setInterval(renew, renewMilliseconds)
    document.addEventListener('visibilitychange', renew)
    window.addEventListener('pagehide', release)
    return () => {
      clearTimeout(firstClaim)
      clearInterval(renewal)
      document.removeEventListener('visibilitychange', renew)
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [api, taskId, isOpen])

  return claim
}
