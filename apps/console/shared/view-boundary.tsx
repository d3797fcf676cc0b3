import { Component, type ComponentChildren } from 'preact';
import { PageHead } from './page.tsx';
import { queryClient } from './query-client.ts';

interface BoundaryProps {
  /** The address of the view. A view at another address is rendered again. */
  address: string;
  children: ComponentChildren;
}

interface BoundaryState {
  failure: { message: string; address: string } | null;
}

/**
 * Renders a view. If rendering throws, an error is shown instead until the reader tries again or opens another view.
 */
export class ViewBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { failure: null };

  override componentDidCatch(error: unknown): void {
    reportError(error);
    const message = error instanceof Error ? error.message : String(error);
    this.setState({ failure: { message, address: this.props.address } });
  }

  override componentDidUpdate(): void {
    const { failure } = this.state;
    if (failure !== null && failure.address !== this.props.address) this.setState({ failure: null });
  }

  #retry = () => {
    // The data may be the cause.
    queryClient.clear();
    this.setState({ failure: null });
  };

  override render({ address, children }: BoundaryProps, { failure }: BoundaryState): ComponentChildren {
    if (failure?.address !== address) return children;
    return (
      <>
        <PageHead title="This view cannot be shown" />
        <div class="state failure" role="alert">
          <p>This view cannot be shown because of a bug in this page. The other views still work.</p>
          <p>
            <code>{failure.message}</code>
          </p>
          <button type="button" onClick={this.#retry}>
            Try again
          </button>
        </div>
      </>
    );
  }
}
