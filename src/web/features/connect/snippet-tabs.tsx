import { Tabs } from 'radix-ui'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { Snippet } from './client-snippets.ts'

type Props = {
  snippets: Snippet[]
  /** What was filled in, marked where it stands. */
  fill: string
}

export function SnippetTabs({ snippets, fill }: Props) {
  return (
    <Tabs.Root defaultValue={snippets[0]?.id ?? ''}>
      <Tabs.List className="tabs" aria-label="Client">
        {snippets.map(({ id, client }) => (
          <Tabs.Trigger key={id} value={id}>
            {client}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {snippets.map((snippet) => (
        <Tabs.Content key={snippet.id} value={snippet.id} className="snippet" tabIndex={-1}>
          <SnippetBox where={snippet.where} text={snippet.text} fill={fill} />
          <p className="hint">{snippet.hint}</p>
        </Tabs.Content>
      ))}
    </Tabs.Root>
  )
}

export function SnippetBox({ where, text, fill }: { where: string; text: string; fill?: string }) {
  return (
    <figure className="code">
      <header>
        {where}
        <CopyButton className="btn small" text={() => text}>
          Copy
        </CopyButton>
      </header>
      {/* biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name */}
      <pre tabIndex={0} role="group" aria-label={where}>
        <code>{fill ? withMarks(text, fill) : text}</code>
      </pre>
    </figure>
  )
}

function withMarks(text: string, fill: string) {
  return text.split(fill).flatMap((part, n) =>
    n === 0
      ? [part]
      : [
          <span className="fill" key={n}>
            {fill}
          </span>,
          part,
        ],
  )
}
