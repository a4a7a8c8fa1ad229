import snippetStyles from '../../ui/snippet.module.css'
import { SnippetTabs, snippetTab } from '../../ui/snippet.tsx'
import { Strip } from '../../ui/strip.tsx'
import type { ClientSnippet } from './client-snippets.ts'

type Props = {
  snippets: ClientSnippet[]
  /** The API key, or the placeholder for one. Highlighted in the snippets. */
  apiKey: string
  /** Text about the key, for snippets that contain one. */
  aboutKey: string
}

export function ClientTabs({ snippets, apiKey, aboutKey }: Props) {
  const tabs = snippets.map((snippet) => {
    const { title, content: blocksAndHint } = snippetTab(snippet, (text) => withHighlights(text, apiKey))
    const { instruction, warning, blocks } = snippet
    const hasKey = blocks.some(({ text }) => text.includes(apiKey))
    const content = (
      <>
        <p className="above-12 text-ink-2">{hasKey ? `${instruction} ${aboutKey}` : instruction}</p>
        {warning && (
          <div className="above-8">
            <Strip tone="warn">{warning}</Strip>
          </div>
        )}
        {blocksAndHint}
      </>
    )
    return { title, content }
  })
  return <SnippetTabs label="Client" tabs={tabs} />
}

function withHighlights(text: string, apiKey: string) {
  return text.split(apiKey).flatMap((part, n) =>
    n === 0
      ? [part]
      : [
          <span className={snippetStyles.fill} key={n}>
            {apiKey}
          </span>,
          part,
        ],
  )
}
