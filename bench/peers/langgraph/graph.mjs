import { Annotation, END, interrupt, START, StateGraph } from '@langchain/langgraph'

// A task for a person in LangGraph: a node that stops at an interrupt with the payload and continues with the answer.

const State = Annotation.Root({ task: Annotation(), answer: Annotation() })

export const builder = new StateGraph(State)
  .addNode('ask', ({ task }) => ({ answer: interrupt(task) }))
  .addEdge(START, 'ask')
  .addEdge('ask', END)

export const graph = builder.compile()
