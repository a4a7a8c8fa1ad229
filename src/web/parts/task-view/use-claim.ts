import { useEffect, useState } from 'react'
import type { Claim } from '../../../contract/inbox.ts'
import { useWorkspace } from '../../lib/person.ts'

// Walking through the list with J must not claim every task on the way.
const settleMilliseconds = 400
// A claim lasts two minutes: one missed renewal does no harm.
const renewMilliseconds = 60_000

/** Tells colleagues that this person has the task open, for as long as it is open and in view. */
export function useClaim(taskId: string, isOpen: boolean): Claim | undefined {
  const { api } = useWorkspace()
  const [claim, setClaim] = useState<Claim>()

  useEffect(() => {
    if (!isOpen) return undefined
    let claimed = false
    const renew = () => {
      if (document.visibilityState !== 'visible') return
      claimed = true
      // A claim is a hint; without it everything still works.
      api.claimTask(taskId).then(
        (answer) => setClaim(answer.claim),
        () => undefined,
      )
    }
    const release = () => {
      if (claimed) api.releaseTask(taskId).catch(() => undefined)
      claimed = false
    }
    const first = setTimeout(renew, settleMilliseconds)
    const again = setInterval(renew, renewMilliseconds)
    document.addEventListener('visibilitychange', renew)
    window.addEventListener('pagehide', release)
    return () => {
      clearTimeout(first)
      clearInterval(again)
      document.removeEventListener('visibilitychange', renew)
      window.removeEventListener('pagehide', release)
      release()
    }
  }, [api, taskId, isOpen])

  return claim
}
