import { createRoot } from 'react-dom/client';
import { watchRelease } from './api/release.ts';
import { App } from './app.tsx';
import { styleNonce } from './display/theme/theme.ts';
import './style.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has lost its #root');
// Under this name, what keeps the page still behind a dialog looks for it.
Object.assign(window, { __webpack_nonce__: styleNonce() });
watchRelease();
createRoot(root).render(<App />);
