//! A run as a person would see it, assembled from frames.
