import snippetStyles from '../../ui/snippet.module.css'
import { exampleTab, SnippetTabs } from '../../ui/snippet.tsx'
import { Strip } from '../../ui/strip.tsx'
import type { ClientSnippet } from './client-snippets.ts'

type Props = {
  snippets: ClientSnippet[]
  /** The API key or its placeholder, highlighted in the snippets. */
  filledIn: string
  /** Text about the key, for snippets that contain one. */
  aboutKey: string
}

export function ClientTabs({ snippets, filledIn, aboutKey }: Props) {
  const tabs = snippets.map((snippet) => {
    const { title, content } = exampleTab(snippet, (text) => withHighlights(text, filledIn))
    const { instruction, warning, blocks } = snippet
    const hasKey = blocks.some(({ text }) => text.includes(filledIn))
    const about = (
      <>
        <p className="above-12 text-ink-2">{hasKey ? `${instruction} ${aboutKey}` : instruction}</p>
        {warning && (
          <div className="above-8">
            <Strip tone="warn">{warning}</Strip>
          </div>
        )}
        {content}
      </>
    )
    return { title, content: about }
  })
  return <SnippetTabs label="Client" tabs={tabs} />
}

function withHighlights(text: string, filledIn: string) {
  return text.split(filledIn).flatMap((part, n) =>
    n === 0
      ? [part]
      : [
          <span className={snippetStyles.fill} key={n}>
            {filledIn}
          </span>,
          part,
        ],
  )
}
