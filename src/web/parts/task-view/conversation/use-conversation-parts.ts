import { useEffect, useState } from 'react'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { hasConversation } from './conversation-entries.ts'

const load = async () => {
  const [{ ReplyStrip }, { Conversation }] = await Promise.all([
    import('./reply-strip.tsx'),
    import('./conversation.tsx'),
  ])
  return { ReplyStrip, Conversation }
}
let loaded: Awaited<ReturnType<typeof load>> | undefined

/**
 * The components that show a conversation, loaded for tasks that have one, and in advance if the
 * agent accepts questions. Not a lazy component, which would hide the whole task for a moment when a reply arrives. `isReady`: the
 * task has no conversation, or the components are loaded. `hasFailed`: it has one, but they can't
 * be loaded.
 */
export function useConversationParts(task: MemberTaskRecord | undefined) {
  const [parts, setParts] = useState(loaded)
  const [hasFailed, setFailed] = useState(false)
  const isShown = task !== undefined && hasConversation(task)
  const mayBeShown = isShown || task?.acceptsQuestions === true
  useEffect(() => {
    if (!mayBeShown) return
    // They may have been loaded for another task since this one was opened.
    if (loaded) return setParts(loaded)
    void load().then(
      (components) => {
        loaded = components
        setParts(components)
      },
      () => setFailed(true),
    )
  }, [mayBeShown, isShown])
  return {
    parts: isShown ? parts : undefined,
    isReady: !isShown || parts !== undefined,
    hasFailed: isShown && !parts && hasFailed,
  }
}
