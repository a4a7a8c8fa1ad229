import { useMemo } from 'react'
import { basePath } from '../../lib/base-path.ts'
import { FoldedText } from '../../widgets/folded-text.tsx'
import { type AnchorProps, renderMarkdown } from '../../widgets/markdown-elements.tsx'

/**
 * Text of an analyst. What people and senders wrote stands in it as code, and links are spelled out of it; here, too, only
 * those that lead to a task of ours are live.
 */
export default function AnalysisText({ text }: { text: string }) {
  const elements = useMemo(() => renderMarkdown(text, undefined, TaskLink), [text])
  return elements === undefined ? <FoldedText text={text} /> : <div className="md">{elements}</div>
}

const taskAddress = /\/w\/([a-z0-9_]+)\/inbox\/(tsk_[a-z0-9]+)$/

function TaskLink({ address, children }: AnchorProps) {
  const [, workspaceId, taskId] = taskAddress.exec(address) ?? []
  if (!workspaceId) return <span>{children}</span>
  // Answered tasks are read on their own page. The public address may not be the one this page was opened by.
  return (
    <a
      className="link"
      href={`${basePath}/w/${workspaceId}/handled/${taskId}`}
      target="_blank"
      rel="noopener"
    >
      {children}
    </a>
  )
}
