import { useMemo } from 'react'
import { basePath } from '../../../lib/base-path.ts'
import { FoldedText } from '../../../widgets/folded-text.tsx'
import markdownStyles from '../../../widgets/markdown.module.css'
import { type AnchorProps, renderMarkdown } from '../../../widgets/markdown-elements.tsx'
import styles from './analysis-text.module.css'

/**
 * The Markdown of an analysis. It quotes text of agents and people, so only links that end like the
 * URL of a task are clickable, and they open that task on this host.
 */
export default function AnalysisText({ text }: { text: string }) {
  const elements = useMemo(() => renderMarkdown(text, undefined, TaskLink), [text])
  return elements === undefined ? (
    <FoldedText text={text} />
  ) : (
    <div className={`${styles.md} ${markdownStyles.md}`}>{elements}</div>
  )
}

const taskUrl = /\/w\/([a-z0-9_]+)\/inbox\/(tsk_[a-z0-9]+)$/

function TaskLink({ href, children }: AnchorProps) {
  const [, workspaceId, taskId] = taskUrl.exec(href) ?? []
  if (!workspaceId) return <span>{children}</span>
  // The public URL in the text may differ from the host of this page.
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
