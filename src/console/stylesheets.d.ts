/** Stylesheets are imported for what Vite makes of them. */
declare module '*.css';
