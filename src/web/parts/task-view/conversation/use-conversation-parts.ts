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
 * The components that show a conversation. They are loaded for tasks that have a conversation, and in
 * advance if the agent accepts questions. `React.lazy` would hide the whole task for a moment when
 * the first reply arrives. `isReady`: the task has no conversation, or its components are loaded.
 * `hasFailed`: it has a conversation whose components can't be loaded.
 */
export function useConversationParts(task: MemberTaskRecord | undefined) {
  const [parts, setParts] = useState(loaded)
  const [hasFailed, setFailed] = useState(false)
  const isShown = task !== undefined && hasConversation(task)
  const mayBeShown = isShown || task?.acceptsQuestions === true
  useEffect(() => {
    if (!mayBeShown) return
    // The components may have been loaded for another task since this task was opened.
    if (loaded) return setParts(loaded)
    void load().then(
      (components) => {
        loaded = components
        setParts(components)
      },
      () => setFailed(true),
    )
  }, [mayBeShown])
  return {
    parts: isShown ? parts : undefined,
    isReady: !isShown || parts !== undefined,
    hasFailed: isShown && !parts && hasFailed,
  }
}
