import snippetStyles from '../../ui/snippet.module.css'
import { Snippet, SnippetTabs } from '../../ui/snippet.tsx'
import type { ClientSnippet } from './client-snippets.ts'

type Props = {
  snippets: ClientSnippet[]
  /** The value that was filled in, highlighted in the snippet. */
  filledIn: string
}

export function ClientTabs({ snippets, filledIn }: Props) {
  const tabs = snippets.map(({ client, blocks, hint }) => ({
    title: client,
    content: (
      <>
        {blocks.map(({ where, text }) => (
          <Snippet key={text} where={where} text={text}>
            {withHighlights(text, filledIn)}
          </Snippet>
        ))}
        <p className={snippetStyles.hint}>{hint}</p>
      </>
    ),
  }))
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
