import snippetStyles from '../../ui/snippet.module.css'
import { Snippet, SnippetTabs } from '../../ui/snippet.tsx'
import type { ClientSnippet } from './client-snippets.ts'

type Props = {
  snippets: ClientSnippet[]
  /** The value that was filled in, highlighted in the snippet. */
  fill: string
}

export function ClientTabs({ snippets, fill }: Props) {
  const tabs = snippets.map(({ client, where, text, hint }) => ({
    title: client,
    content: (
      <>
        <Snippet where={where} text={text}>
          {withMarks(text, fill)}
        </Snippet>
        <p className={snippetStyles.hint}>{hint}</p>
      </>
    ),
  }))
  return <SnippetTabs label="Client" tabs={tabs} />
}

function withMarks(text: string, fill: string) {
  return text.split(fill).flatMap((part, n) =>
    n === 0
      ? [part]
      : [
          <span className={snippetStyles.fill} key={n}>
            {fill}
          </span>,
          part,
        ],
  )
}
