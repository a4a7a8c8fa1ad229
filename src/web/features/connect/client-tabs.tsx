import snippetStyles from '../../ui/snippet.module.css'
import { exampleTab, SnippetTabs } from '../../ui/snippet.tsx'
import type { ClientSnippet } from './client-snippets.ts'

type Props = {
  snippets: ClientSnippet[]
  /** The value that was filled in, highlighted in the snippet. */
  filledIn: string
}

export function ClientTabs({ snippets, filledIn }: Props) {
  const tabs = snippets.map((snippet) => exampleTab(snippet, (text) => withHighlights(text, filledIn)))
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
